import { useTexts } from '../../language/language.js';
import { lists, numbers, switches, type Option } from './options.js';
import { byCategory, categoryOf, isComponent, nameOf, type DefinedModel } from '../../model/builder/models.js';
import { Choice } from '../../inputs/choice.js';
import { Field } from '../../small-forms/field.js';

interface Props {
  readonly option: Option;
  readonly type: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

/** Kinds of files. */
const kinds = ['images', 'videos', 'audios', 'files'];

/** One rule in the form of an attribute. */
export function OptionField({ option, type, value, onChange, model, models }: Props) {
  const texts = useTexts().builder;
  const label = texts.options[option];
  if (switches.has(option))
    return (
      <label className="check">
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={({ target }) => onChange(target.checked ? 'true' : '')}
        />
        {label}
      </label>
    );
  const components = byCategory(models.filter(isComponent)).map(
    (component) => [component.uid, `${nameOf(component)} (${categoryOf(component)})`] as const,
  );
  if (option === 'components' || option === 'allowedTypes') {
    const choices =
      option === 'components' ? components : kinds.map((kind) => [kind, texts.fileKinds[kind] ?? kind] as const);
    return <Choices label={label} choices={choices} value={value} onChange={onChange} />;
  }
  // What has letters that an address can be made from.
  const named = Object.entries(model.definition.attributes).flatMap(([name, { type: kind }]) =>
    ['string', 'text', 'email', 'uid'].includes(kind) ? [[name, name] as const] : [],
  );
  const choices = { component: components, targetField: named }[option as string];
  if (choices !== undefined)
    return (
      <Choice
        label={label}
        value={value}
        placeholder={texts.choose}
        required={option === 'component'}
        onChange={onChange}
        options={[
          ...(option === 'component' ? [] : [{ value: '', label: texts.choose }]),
          ...choices.map(([key, name]) => ({ value: key, label: name })),
        ]}
      />
    );
  const shared = { label, name: option, value, onChange };
  if (lists.has(option)) return <Field {...shared} rows={4} required hint={texts.onePerLine} />;
  const isNumber = numbers.has(option) && type !== 'biginteger';
  return <Field {...shared} {...(isNumber && { type: 'number', step: 'any' })} />;
}

interface ChoicesProps {
  readonly label: string;
  readonly choices: readonly (readonly [key: string, label: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choices({ label, choices, value, onChange }: ChoicesProps) {
  const chosen = value.split('\n').filter((key) => key !== '');
  return (
    <fieldset>
      <legend>{label}</legend>
      <div className="checks">
        {choices.map(([key, name]) => (
          <label key={key} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(key)}
              onChange={({ target }) =>
                onChange((target.checked ? [...chosen, key] : chosen.filter((other) => other !== key)).join('\n'))
              }
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
