import { useTexts } from '../../language/language.js';
import type { Attribute } from '../../model/schema.js';
import type { Value } from '../../model/values.js';
import { Marked } from './marked.js';
import { useForm } from '../form-context.js';
import { outlineOf } from './outline.js';

interface Props {
  readonly attribute: Attribute;
  /** What readers see. */
  readonly value: Value;
  readonly now: Value;
  /** Undefined: the user may not change it. */
  readonly onTake: ((value: Value) => void) | undefined;
}

/** What readers see of an attribute while another value is prepared, with the words that will go. */
export function PublishedValue({ attribute, value, now, onTake }: Props) {
  const texts = useTexts();
  const { content } = useForm();
  const outline = (one: Value): string => outlineOf(content, attribute, one, texts.common);
  return (
    <details className="published-value">
      <summary>{texts.publication.whatIsPublished}</summary>
      <div className="value" tabIndex={0} role="group" aria-label={texts.publication.whatIsPublished}>
        <Marked text={outline(value)} other={outline(now)} mark="del" />
      </div>
      {onTake !== undefined && (
        <button type="button" onClick={() => onTake(value)}>
          {texts.publication.takeBack}
        </button>
      )}
    </details>
  );
}
