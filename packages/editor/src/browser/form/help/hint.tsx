import { useTexts } from '../../language/language.js';
import type { Texts } from '../../language/texts.js';
import { isReadInForm, type ScalarAttribute } from '../../model/schema.js';
import type { Value } from '../../model/values.js';

interface Props {
  readonly attribute: ScalarAttribute;
  readonly value: Value;
  readonly isNew: boolean;
  /** The field says already which rule the value breaks. */
  readonly isWrong: boolean;
}

/** What there is to know of a value before it is written. */
export function Hint({ attribute, value, isNew, isWrong }: Props) {
  const texts = useTexts().form;
  const { unique, private: isPrivate, generated, targetLabel = '' } = attribute;
  const hints = [
    ...(isPrivate === true ? [texts.isPrivate] : []),
    ...(isReadInForm(attribute) ? [] : [isNew ? texts.becomesHidden : texts.isHidden]),
    ...(isWrong ? [] : rulesOf(attribute, value, texts)),
    ...(unique ? [texts.unique] : []),
    ...(isNew && generated === true ? [texts.generatedFrom(targetLabel)] : []),
  ];
  return hints.length === 0 ? undefined : <p className="hint">{hints.join(' · ')}</p>;
}

/** The rules of a value. A regular expression says nothing to editors: its message does. */
function rulesOf(
  { min, max, minLength, maxLength, message }: ScalarAttribute,
  value: Value,
  texts: Texts['form'],
): readonly string[] {
  const length = typeof value === 'string' ? value.length : 0;
  return [
    ...(minLength === undefined ? [] : [texts.atLeastCharacters(minLength)]),
    ...(maxLength === undefined ? [] : [texts.lengthOf(length, maxLength)]),
    ...(min === undefined ? [] : [texts.atLeast(min)]),
    ...(max === undefined ? [] : [texts.atMost(max)]),
    ...(message === undefined ? [] : [message]),
  ];
}
