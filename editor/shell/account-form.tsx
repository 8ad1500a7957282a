import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTexts } from '../language/language.js';
import { messageOf } from './notices.js';

interface FormProps {
  readonly onSend: (fields: Readonly<Record<string, string>>) => Promise<void>;
  /** The label of the button that sends it; absent: it cannot be sent. */
  readonly action: string | undefined;
  /** Says why the fields were refused; absent: as the service says it. */
  readonly explain?: (error: unknown) => string;
  readonly children: ReactNode;
}

/** A form of a few fields that sends them and shows why they were refused. */
export function AccountForm({ onSend, action, explain = messageOf, children }: FormProps) {
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, String(text)]));
    setSending(true);
    setError(undefined);
    await onSend(fields).catch((error: unknown) => setError(explain(error)));
    setSending(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {children}
      {error !== undefined && (
        <p role="alert" className="issue">
          {error}
        </p>
      )}
      {action !== undefined && (
        <button type="submit" className="primary" disabled={isSending}>
          {action}
        </button>
      )}
    </form>
  );
}

export function AccountField(props: {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly complete: string;
  readonly value?: string;
  readonly disabled?: boolean;
}) {
  return (
    <label>
      {props.label}
      <input
        name={props.name}
        type={props.type}
        autoComplete={props.complete}
        required
        defaultValue={props.value}
        disabled={props.disabled}
      />
    </label>
  );
}

/** A new password, twice. */
export function NewPasswordFields() {
  const texts = useTexts().account;
  return (
    <>
      <AccountField name="password" label={texts.newPassword} type="password" complete="new-password" />
      <AccountField
        name="passwordConfirmation"
        label={texts.newPasswordAgain}
        type="password"
        complete="new-password"
      />
    </>
  );
}
