import { messageOf } from '../language/message-of.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import type { Texts } from '../language/texts.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
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

/** The fields of the log-in, also over a page whose session ended. */
export function LogInForm() {
  const texts = useTexts();
  const { account } = texts;
  const { start, anonymous, user } = useSession();
  const show = useNotice();
  return (
    <AccountForm
      action={account.logIn}
      explain={(error) => explain(error, texts)}
      onSend={async (fields) => {
        start((await anonymous.send('POST', 'auth/local', { body: fields })).body);
        // What was refused because the log-in had ended is no news any more.
        show(undefined);
      }}
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
  );
}

export function LogInPage() {
  const texts = useTexts().account;
  const { anonymous } = useSession();
  const { data: sendsPasswords } = useQuery({
    queryKey: ['account'],
    queryFn: async () => {
      const { body } = await anonymous.get('admin/account');
      return (body as { readonly data: { readonly sendsPasswords: boolean } }).data.sendsPasswords;
    },
  });
  return (
    <Card title={texts.logIn}>
      <LogInForm />
      {sendsPasswords === true && (
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
  const texts = useTexts().account;
  const { start, anonymous } = useSession();
  const code = new URLSearchParams(useSearch()).get('code') ?? '';
  return (
    <Card title={texts.newPassword}>
      <AccountForm
        action={texts.saveAndLogIn}
        onSend={async (fields) => {
          const { body } = await anonymous.send('POST', 'auth/reset-password', { body: { ...fields, code } });
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
