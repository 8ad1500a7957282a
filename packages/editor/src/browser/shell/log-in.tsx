import { messageOf } from '../language/message-of.js';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import type { Texts } from '../language/texts.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
import { FactorSetup, type BegunSetup, type SetUpAnswer } from '../log-in/factor-setup.js';
import { askedBy, ProofForm, useProof, type Asked } from '../log-in/proof.js';
import { ProviderLinks } from '../log-in/providers.js';
import { RecoveryCodes } from '../log-in/recovery-codes.js';
import { useWays } from '../log-in/ways.js';
import { AccountField, AccountForm, NewPasswordFields } from './account-form.js';
import { Brand } from './identity.js';
import { useNotice } from './notices.js';

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

type Fields = Readonly<Record<string, string>>;

/** What the log-in asks for: a password, then what the service names. */
type Step =
  | { readonly asks: 'password' }
  | { readonly asks: 'proof'; readonly asked: Asked; readonly account: Fields }
  | { readonly asks: 'factor'; readonly begun: BegunSetup; readonly account: Fields }
  | { readonly asks: 'nothing'; readonly answer: SetUpAnswer };

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
  const send = async (body: object): Promise<void> =>
    enter((await anonymous.send('POST', 'auth/local', { body })).body);
  const goOn = async (fields: Fields, error: unknown): Promise<void> => {
    const asked = askedBy(error);
    if (asked !== undefined) setStep({ asks: 'proof', asked, account: fields });
    else if (error instanceof RequestError && error.name === 'SecondFactorMissingError') {
      const { body } = await anonymous.send('POST', 'auth/second-factor', { body: fields });
      setStep({ asks: 'factor', begun: body as BegunSetup, account: fields });
    } else throw error;
  };
  if (step.asks === 'nothing')
    return <RecoveryCodes codes={step.answer.recoveryCodes} onKept={() => enter(step.answer)} />;
  if (step.asks === 'proof')
    return (
      <ProofForm asked={step.asked} action={account.logIn} onProof={(proof) => send({ ...step.account, ...proof })} />
    );
  if (step.asks === 'factor')
    return (
      <>
        <p>{account.secondFactor.needed}</p>
        <FactorSetup
          begun={step.begun}
          account={step.account}
          action={account.logIn}
          onDone={(answer) => setStep({ asks: 'nothing', answer })}
        />
      </>
    );
  return (
    <>
      {passwords && (
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
        </AccountForm>
      )}
      <ProviderLinks providers={providers} isBeside={isOver} />
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
  const { prove, dialog } = useProof();
  return (
    <Card title={title}>
      {children}
      <AccountForm
        action={texts.saveAndLogIn}
        onSend={(fields) =>
          prove(async (proof) => {
            const { body } = await anonymous.send('POST', path, { body: { ...fields, ...proof, code } });
            start(body);
            // The code in the address is used up.
            location.replace('/admin');
          })
        }
      >
        <NewPasswordFields />
      </AccountForm>
      {dialog}
    </Card>
  );
}
