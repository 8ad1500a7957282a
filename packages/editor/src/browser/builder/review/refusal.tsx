import { messageOf } from '../../language/message-of.js';
import { RequestError } from '../../api/api.js';
import { useTexts } from '../../language/language.js';

interface Details {
  readonly errors?: readonly { readonly message: string }[];
}

/** Why the service refuses a change: each rule with its place in the files. */
export function Refusal({ error }: { readonly error: unknown }) {
  const texts = useTexts();
  const details = error instanceof RequestError ? (error.details as Details | undefined) : undefined;
  const listed = details?.errors?.map(({ message }) => message) ?? [];
  const messages = listed.length === 0 ? [messageOf(texts, error)] : listed;
  return (
    <ul role="alert" className="refusals">
      {messages.map((message) => (
        <li key={message} className="issue">
          {message}
        </li>
      ))}
    </ul>
  );
}
