import { RequestError } from '../../api/api.js';
import { messageOf } from '../../shell/notices.js';

interface Details {
  readonly errors?: readonly { readonly message: string }[];
}

/** Why the service refuses a change: each rule with its place in the files. */
export function Refusal({ error }: { readonly error: unknown }) {
  const details = error instanceof RequestError ? (error.details as Details | undefined) : undefined;
  const listed = details?.errors?.map(({ message }) => message) ?? [];
  const messages = listed.length === 0 ? [messageOf(error)] : listed;
  return (
    <ul role="alert" className="issues">
      {messages.map((message) => (
        <li key={message} className="issue">
          {message}
        </li>
      ))}
    </ul>
  );
}
