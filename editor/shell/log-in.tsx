import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { createApi, RequestError } from '../api/api.js';
import { useSession } from '../api/session.js';
import { messageOf } from './notices.js';

/** Visitors may not log in unless the role `public` may. */
function explain(error: unknown): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  if (error.status === 403)
    return 'This service does not allow log-ins: grant plugin::users-permissions.auth.callback to the role public.';
  return error.message;
}

/** A form of a few fields that sends them and shows why they were refused. */
function AccountForm(props: {
  readonly onSend: (fields: Readonly<Record<string, string>>) => Promise<void>;
  readonly action: string;
  readonly children: ReactNode;
}) {
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, text]) => [name, String(text)]),
    );
    setSending(true);
    setError(undefined);
    await props.onSend(fields).catch((error: unknown) => setError(explain(error)));
    setSending(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
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
  </main>
);

/** The fields of the log-in, also over a page whose session ended. */
export function LogInForm() {
  const { start } = useSession();
  return (
    <AccountForm
      action="Log in"
      onSend={async (fields) => start((await createApi().send('POST', 'auth/local', { body: fields })).body)}
    >
      <Field name="identifier" label="User name or email" type="text" complete="username" />
      <Field name="password" label="Password" type="password" complete="current-password" />
    </AccountForm>
  );
}

export const LogInPage = () => (
  <Card title="Log in">
    <LogInForm />
    <p>
      <Link href="/account/forgotten">Forgotten password</Link>
    </p>
  </Card>
);

export function ForgottenPage() {
  const [isSent, setSent] = useState(false);
  return (
    <Card title="Forgotten password">
      {isSent ? (
        <p role="status">If this address belongs to a user, a mail with a link is on its way.</p>
      ) : (
        <AccountForm
          action="Send a link"
          onSend={async (fields) => {
            await createApi().send('POST', 'auth/forgot-password', { body: fields });
            setSent(true);
          }}
        >
          <Field name="email" label="Email" type="email" complete="email" />
        </AccountForm>
      )}
      <p>
        <Link href="/">Log in</Link>
      </p>
    </Card>
  );
}

/** The page that the link of the mail leads to, with its code. */
export function ResetPage() {
  const { start } = useSession();
  const code = new URLSearchParams(useSearch()).get('code') ?? '';
  return (
    <Card title="New password">
      <AccountForm
        action="Save and log in"
        onSend={async (fields) => {
          const { body } = await createApi().send('POST', 'auth/reset-password', { body: { ...fields, code } });
          start(body);
          // The code in the address is used up.
          location.replace('/admin');
        }}
      >
        <Field name="password" label="New password" type="password" complete="new-password" />
        <Field name="passwordConfirmation" label="New password again" type="password" complete="new-password" />
      </AccountForm>
    </Card>
  );
}
