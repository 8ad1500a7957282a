import { useTexts } from '../../language/language.js';
import { messageOf } from '../../language/message-of.js';
import type { Check } from './confirm-deletion.js';

/** Says that it is not known what uses something, and why. */
export function Unchecked({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const texts = useTexts();
  return (
    <div role="alert" className="issue">
      <p>
        {texts.common.unchecked} {messageOf(texts, error)}
      </p>
      <button type="button" onClick={onRetry}>
        {texts.common.tryAgain}
      </button>
    </div>
  );
}

/** How far a question is that has to be answered before something is deleted. */
export const checkOf = ({ data, error }: { readonly data: unknown; readonly error: unknown }): Check | undefined =>
  error !== null ? 'failed' : data === undefined ? 'running' : undefined;
