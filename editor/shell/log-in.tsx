import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import type { Texts } from '../language/texts.js';
import { LanguageChoice, useTexts } from '../language/language.js';
import { messageOf } from './notices.js';

/** Visitors may not log in unless the role `public` may. */
function explain(error: unknown, { noLogIns, wrong }: Texts['account']): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  if (error.status === 403) return noLogIns;
  // The API calls the name an identifier, as no label does.
  return error.message.includes('identifier') ? wrong : error.message;
}

/** A form of a few fields that sends them and shows why they were refused. */
function AccountForm(props: {
  readonly onSend: (fields: Readonly<Record<string, string>>) => Promise<void>;
  readonly action: string;
  readonly children: ReactNode;
}) {
  const texts = useTexts().account;
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, text]) => [name, String(text)]),
    );
    setSending(true);
    setError(undefined);
    await props.onSend(fields).catch((error: unknown) => setError(explain(error, texts)));
    setSending(false);
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      {props.children}
      {error !== undefined && (
        <p role="alert" className="issue">
          {error}
        </p>
      )}
      <button type="submit" className="primary" disabled={isSending}>
        {props.action}
      </button>
    </form>
  );
}

function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly complete: string;
}) {
  return (
    <label>
      {props.label}
      <input name={props.name} type={props.type} autoComplete={props.complete} required />
    </label>
  );
}

const Card = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="card narrow">
    <h1>{title}</h1>
    {children}
    <LanguageChoice />
  </main>
);

/** The fields of the log-in, also over a page whose session ended. */
export function LogInForm() {
  const texts = useTexts().account;
  const { start, anonymous } = useSession();
  return (
    <AccountForm
      action={texts.logIn}
      onSend={async (fields) => start((await anonymous.send('POST', 'auth/local', { body: fields })).body)}
    >
      <Field name="identifier" label={texts.identifier} type="text" complete="username" />
      <Field name="password" label={texts.password} type="password" complete="current-password" />
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

/** The page that the link in the log of the service leads to. Its code is behind `#`, which is not sent with the address. */
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
        <Field name="username" label={texts.username} type="text" complete="username" />
        <Field name="email" label={texts.email} type="email" complete="email" />
        <Field name="password" label={texts.password} type="password" complete="new-password" />
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
          <Field name="email" label={texts.email} type="email" complete="email" />
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
        <Field name="password" label={texts.newPassword} type="password" complete="new-password" />
        <Field name="passwordConfirmation" label={texts.newPasswordAgain} type="password" complete="new-password" />
      </AccountForm>
    </Card>
  );
}
