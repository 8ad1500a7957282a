import { Choice } from '../../inputs/choice.js';
import { useTexts } from '../../language/language.js';
import {
  comparing,
  conditionTests,
  isComparable,
  type ConditionTest,
  type FormCondition,
} from '../../model/builder/editor-options.js';
import type { Definition } from '../../model/builder/models.js';
import { Field } from '../../small-forms/field.js';

interface Props {
  /** Those of which a condition can ask. */
  readonly attributes: Definition['attributes'];
  readonly condition: FormCondition;
  readonly onChange: (condition: FormCondition) => void;
}

/** When a form shows an attribute: always, or only where another one has a value. */
export function ConditionFields({ attributes, condition, onChange }: Props) {
  const { builder: texts, common } = useTexts();
  const { attribute, test, value } = condition;
  const asked = attributes[attribute];
  const offered = conditionTests.filter((one) => !comparing.has(one) || isComparable(asked));
  const change = (changes: Partial<FormCondition>): void => onChange({ ...condition, ...changes });
  const enumerated = Array.isArray(asked?.['enum']) ? (asked['enum'] as readonly string[]) : undefined;
  const yesOrNo = asked?.type === 'boolean' ? ['true', 'false'] : undefined;
  const values = enumerated ?? yesOrNo;
  const wordOf: Readonly<Record<string, string>> = yesOrNo === undefined ? {} : { true: common.yes, false: common.no };
  return (
    <>
      <Choice
        label={texts.shownIf}
        value={attribute}
        onChange={(name) =>
          onChange({ attribute: name, test: isComparable(attributes[name]) ? 'equals' : 'isSet', value: '' })
        }
        options={[
          { value: '', label: texts.alwaysShown },
          ...Object.keys(attributes).map((name) => ({ value: name, label: name })),
        ]}
      />
      {asked !== undefined && (
        <Choice
          aria-label={texts.shownIf}
          value={test}
          onChange={(chosen) => change({ test: chosen as ConditionTest })}
          options={offered.map((one) => ({ value: one, label: texts.conditionTests[one] }))}
        />
      )}
      {asked !== undefined && comparing.has(test) && values !== undefined && test !== 'in' && (
        <Choice
          label={texts.comparedValue}
          value={value}
          placeholder={texts.choose}
          required
          onChange={(chosen) => change({ value: chosen })}
          options={values.map((one) => ({ value: one, label: wordOf[one] ?? one }))}
        />
      )}
      {asked !== undefined && comparing.has(test) && (values === undefined || test === 'in') && (
        <Field
          key={test}
          label={test === 'in' ? texts.comparedValues : texts.comparedValue}
          name="compared"
          required
          {...(test === 'in' && { rows: 3, hint: texts.onePerLine })}
          value={value}
          onChange={(text) => change({ value: text })}
          autoComplete="off"
        />
      )}
    </>
  );
}
