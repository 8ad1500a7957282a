import { messageOf } from '../language/message-of.js';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTexts } from '../language/language.js';
import { Field } from '../small-forms/field.js';

interface FormProps {
  readonly onSend: (fields: Readonly<Record<string, string>>) => Promise<void>;
  /** The label of the button that sends it; absent: it cannot be sent. */
  readonly action: string | undefined;
  /** Says why the fields were refused; absent: as the service says it. */
  readonly explain?: ((error: unknown) => string) | undefined;
  readonly children: ReactNode;
}

/** A form of a few fields that sends them and shows why they were refused. */
export function AccountForm({ onSend, action, explain, children }: FormProps) {
  const texts = useTexts();
  const { mutate, error, isPending } = useMutation({ mutationFn: onSend });
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)];
    mutate(Object.fromEntries(fields.map(([name, text]) => [name, String(text)])));
  };
  return (
    <form onSubmit={submit}>
      {children}
      {error !== null && (
        <p role="alert" className="issue">
          {explain?.(error) ?? messageOf(texts, error)}
        </p>
      )}
      {action !== undefined && (
        <button type="submit" className="primary" disabled={isPending}>
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
    <Field
      name={props.name}
      label={props.label}
      type={props.type}
      autoComplete={props.complete}
      required
      // As short as the service allows.
      minLength={props.complete === 'new-password' ? 6 : undefined}
      defaultValue={props.value}
      disabled={props.disabled}
    />
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
