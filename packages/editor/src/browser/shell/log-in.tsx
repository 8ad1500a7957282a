import { messageOf } from '../language/message-of.js';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import type { Texts } from '../language/texts.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
import { ProviderLinks } from '../log-in/providers.js';
import { useWays } from '../log-in/ways.js';
import { AccountField, AccountForm, NewPasswordFields } from './account-form.js';
import { Brand } from './identity.js';
import { useNotice } from './notices.js';

/** Most log-ins draw none. */
const PictureOfKey = lazy(async () => ({ default: (await import('../log-in/picture-of-key.js')).PictureOfKey }));

/** Visitors may not log in unless the role `public` may. */
const explain = (error: unknown, texts: Texts): string =>
  error instanceof RequestError && error.status === 403 ? texts.account.noLogIns : messageOf(texts, error);

function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.querySelector('input')?.focus(), []);
  return (
    <main ref={card} className="card narrow">
      <p className="brand">
        <Brand />
      </p>
      <h1>{title}</h1>
      {children}
      <LanguageChoice />
    </main>
  );
}

/** What the log-in asks for: a password, then what the service names. */
type Step =
  | { readonly asks: 'password' | 'code' }
  | { readonly asks: 'firstCode'; readonly secret: string; readonly address: string }
  | { readonly asks: 'nothing'; readonly answer: { readonly recoveryCodes: readonly string[] } };

/** The fields of the log-in. @param isOver they are over a page whose session ended */
export function LogInForm({ isOver = false }: { readonly isOver?: boolean }) {
  const texts = useTexts();
  const { account } = texts;
  const { start, anonymous, user } = useSession();
  const show = useNotice();
  const [step, setStep] = useState<Step>({ asks: 'password' });
  const { passwords = true, providers = [] } = useWays() ?? {};
  const enter = (answer: unknown): void => {
    start(answer);
    // What was refused because the log-in had ended is no news any more.
    show(undefined);
  };
  const send = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    if (step.asks === 'firstCode') {
      const { body } = await anonymous.send('POST', 'auth/second-factor/confirm', { body: fields });
      setStep({ asks: 'nothing', answer: body as { readonly recoveryCodes: readonly string[] } });
    } else enter((await anonymous.send('POST', 'auth/local', { body: fields })).body);
  };
  const goOn = async (fields: Readonly<Record<string, string>>, error: unknown): Promise<void> => {
    const name = error instanceof RequestError ? error.name : '';
    if (name === 'SecondFactorNeededError') setStep({ asks: 'code' });
    else if (name === 'SecondFactorMissingError') {
      const { body } = await anonymous.send('POST', 'auth/second-factor', { body: fields });
      setStep({ asks: 'firstCode', ...(body as { readonly secret: string; readonly address: string }) });
    } else throw error;
  };
  if (step.asks === 'nothing') return <RecoveryCodes answer={step.answer} onKept={enter} />;
  const form = (
    <AccountForm
      action={account.logIn}
      explain={(error) => explain(error, texts)}
      onSend={(fields) => send(fields).catch((error: unknown) => goOn(fields, error))}
    >
      <AccountField
        name="identifier"
        label={account.identifier}
        type="text"
        complete="username"
        {...(user !== undefined && { value: user.username })}
      />
      <AccountField name="password" label={account.password} type="password" complete="current-password" />
      {step.asks === 'firstCode' && (
        <>
          <p>{account.secondFactor.setUp}</p>
          <Suspense fallback={<div className="code-picture" aria-busy />}>
            <PictureOfKey address={step.address} />
          </Suspense>
          <p>
            {account.secondFactor.key}: <code>{step.secret}</code>
          </p>
          <p>
            <a href={step.address}>{account.secondFactor.open}</a>
          </p>
        </>
      )}
      {step.asks !== 'password' && (
        <AccountField
          name="secondFactor"
          label={account.secondFactor[step.asks]}
          type="text"
          complete="one-time-code"
        />
      )}
    </AccountForm>
  );
  return (
    <>
      {passwords && form}
      {step.asks === 'password' && <ProviderLinks providers={providers} isBeside={isOver} />}
    </>
  );
}

/** They are shown once, so nobody goes on by accident. */
function RecoveryCodes(props: {
  readonly answer: { readonly recoveryCodes: readonly string[] };
  readonly onKept: (answer: unknown) => void;
}) {
  const { secondFactor } = useTexts().account;
  return (
    <>
      <p role="status">{secondFactor.codes}</p>
      <ul>
        {props.answer.recoveryCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="primary" onClick={() => props.onKept(props.answer)}>
        {secondFactor.kept}
      </button>
    </>
  );
}

/** @param refusal why the log-in at a provider was refused */
export function LogInPage({ refusal }: { readonly refusal?: string | undefined }) {
  const texts = useTexts().account;
  const ways = useWays();
  return (
    <Card title={texts.logIn}>
      {refusal !== undefined && (
        <p role="alert" className="issue">
          {refusal}
        </p>
      )}
      <LogInForm />
      {ways?.sendsPasswords === true && (
        <p>
          <Link href="/account/forgotten">{texts.forgotten}</Link>
        </p>
      )}
    </Card>
  );
}

/**
 * The page that the link in the log of the service leads to. Its code is behind `#`, which is not sent with the
 * address.
 */
export function FirstUserPage() {
  const texts = useTexts().account;
  const { start, anonymous } = useSession();
  return (
    <Card title={texts.firstUser}>
      <p>{texts.aboutFirstUser}</p>
      <AccountForm
        action={texts.createFirstUser}
        onSend={async (fields) => {
          const { body } = await anonymous.send('POST', 'auth/first-user', {
            body: { ...fields, code: location.hash.slice(1) },
          });
          start(body);
          // The code in the address is used up.
          location.replace('/admin');
        }}
      >
        <AccountField name="username" label={texts.username} type="text" complete="username" />
        <AccountField name="email" label={texts.email} type="email" complete="email" />
        <AccountField name="password" label={texts.password} type="password" complete="new-password" />
      </AccountForm>
    </Card>
  );
}

export function ForgottenPage() {
  const texts = useTexts().account;
  const { anonymous } = useSession();
  const [isSent, setSent] = useState(false);
  return (
    <Card title={texts.forgotten}>
      {isSent ? (
        <p role="status">{texts.mailIsSent}</p>
      ) : (
        <AccountForm
          action={texts.sendLink}
          onSend={async (fields) => {
            await anonymous.send('POST', 'auth/forgot-password', { body: fields });
            setSent(true);
          }}
        >
          <AccountField name="email" label={texts.email} type="email" complete="email" />
        </AccountForm>
      )}
      <p>
        <Link href="/">{texts.logIn}</Link>
      </p>
    </Card>
  );
}

/** The page that the link of the mail leads to, with its code. */
export function ResetPage() {
  const { newPassword } = useTexts().account;
  const code = new URLSearchParams(useSearch()).get('code') ?? '';
  return <NewPassword title={newPassword} path="auth/reset-password" code={code} />;
}

/** The page that the link of an invitation leads to. Its code is behind `#`, which is not sent with the address. */
export function InvitedPage() {
  const { invited, aboutInvited } = useTexts().account;
  return (
    <NewPassword title={invited} path="auth/invitation" code={location.hash.slice(1)}>
      <p>{aboutInvited}</p>
    </NewPassword>
  );
}

interface NewPasswordProps {
  readonly title: string;
  /** What takes the code. */
  readonly path: string;
  readonly code: string;
  readonly children?: ReactNode;
}

function NewPassword({ title, path, code, children }: NewPasswordProps) {
  const texts = useTexts().account;
  const { start, anonymous } = useSession();
  return (
    <Card title={title}>
      {children}
      <AccountForm
        action={texts.saveAndLogIn}
        onSend={async (fields) => {
          const { body } = await anonymous.send('POST', path, { body: { ...fields, code } });
          start(body);
          // The code in the address is used up.
          location.replace('/admin');
        }}
      >
        <NewPasswordFields />
      </AccountForm>
    </Card>
  );
}
