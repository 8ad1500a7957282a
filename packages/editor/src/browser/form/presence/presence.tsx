import { useTexts } from '../../language/language.js';
import type { Texts } from '../../language/texts.js';
import { listOf, timeOf } from '../../language/time-of.js';
import type { Presence as Known, Present } from './announce.js';

interface Props {
  readonly presence: Known;
  readonly isBusy: boolean;
  /** Puts what is stored now into the form. */
  readonly onLoad: () => void;
}

/**
 * Who else has the entry of a form open, and that somebody has saved it. The element stays, so that screen readers read
 * what changes in it.
 */
export function Presence({ presence: { others, saved }, isBusy, onLoad }: Props) {
  const texts = useTexts();
  // While the form is sent, what is stored is its own.
  const isSaved = saved !== undefined && !isBusy;
  return (
    <span className="presence">
      <span role="status">
        {others.length > 0 && (
          <span>
            {others.map((other, index) => (
              // The service names them in the same order, and some have no name.
              <span key={index} className="initials" aria-hidden="true">
                {initialsOf(nameOf(texts, other))}
              </span>
            ))}
            {describeOthers(texts, others)}
          </span>
        )}
        {isSaved && <span>{texts.presence.saved(timeOf(texts, saved.at), saved.by ?? texts.presence.somebody)}</span>}
      </span>
      {isSaved && (
        <button type="button" onClick={onLoad}>
          {texts.presence.load}
        </button>
      )}
    </span>
  );
}

/** Names them, and says who has changes that are not saved. */
export const describeOthers = (texts: Texts, others: readonly Present[]): string =>
  texts.presence.others(
    listOf(
      texts,
      others.map((other) => describe(texts, other)),
    ),
  );

const nameOf = ({ presence: { somebody, yourself } }: Texts, { name, own }: Present): string =>
  own ? yourself : (name ?? somebody);

function describe(texts: Texts, other: Present): string {
  const name = nameOf(texts, other);
  return other.unsaved ? texts.presence.unsaved(name) : name;
}

/** `AB` of `anna.berg`. */
const initialsOf = (name: string): string =>
  (name.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu) ?? []).slice(0, 2).join('').toUpperCase();
