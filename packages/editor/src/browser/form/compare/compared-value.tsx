import { useTexts } from '../../language/language.js';
import { outlineOf } from './outline.js';
import type { Attribute } from '../../model/schema.js';
import type { Value } from '../../model/values.js';
import { isScalar } from '../../model/schema.js';
import { isWritten } from '../../writing/lazy-writing.js';
import { useForm } from '../form-context.js';
import { Marked, type Mark } from './marked.js';
import { ShownValue } from '../shown-value.js';

interface Props {
  readonly attribute: Attribute;
  readonly value: Value;
  /** What it is compared with. */
  readonly other: Value;
  readonly mark: Mark;
  /** A text is shown as readers see it. */
  readonly asItLooks: boolean;
}

/** A value with the words marked that another one does not have; where no word differs, as it looks. */
export function ComparedValue({ attribute, value, other, mark, asItLooks }: Props) {
  const { common } = useTexts();
  const { content } = useForm();
  const [text, compared] = [value, other].map((one) => outlineOf(content, attribute, one, common));
  return (
    <div className="value" tabIndex={0}>
      {(asItLooks && hasLook(attribute)) || text === compared ? (
        <ShownValue
          attribute={attribute}
          value={value}
          compared={text === compared ? undefined : { value: other, mark }}
        />
      ) : (
        <Marked text={text ?? ''} other={compared ?? ''} mark={mark} />
      )}
    </div>
  );
}

/** Whether readers see more of a value than its words. */
export const hasLook = (attribute: Attribute): boolean => !isScalar(attribute) || isWritten(attribute);

/** Shows values as readers see them, in place of their source. */
export function LookSwitch({ isOn, onChange }: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }) {
  const { asItLooks } = useTexts().publication;
  return (
    <button type="button" className="look" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {asItLooks}
    </button>
  );
}
