import { scalarTypes, type ScalarType } from '../../model/attribute-types.js';
import type { AttributeDefinition } from '../../model/builder/models.js';

/** What an attribute can be, in the order in which it is offered: texts first. */
const texts = ['string', 'text', 'richtext', 'blocks'] as const;
export const attributeKinds = [
  ...texts,
  ...(Object.keys(scalarTypes) as ScalarType[]).filter((kind) => !(texts as readonly string[]).includes(kind)),
  'media',
  'component',
  'dynamiczone',
  'relation',
] as const;

/** The fields of the form of an attribute. */
export type Option =
  | 'required' | 'unique' | 'private' | 'minLength' | 'maxLength' | 'regex' | 'min' | 'max' | 'default' | 'enum'
  | 'targetField' | 'multiple' | 'allowedTypes' | 'repeatable' | 'component' | 'components'; // prettier-ignore

const isScalar = (kind: string): kind is ScalarType => Object.hasOwn(scalarTypes, kind);

const ofOthers: Readonly<Record<string, readonly Option[]>> = {
  media: ['required', 'private', 'multiple', 'allowedTypes'],
  component: ['required', 'private', 'component', 'repeatable', 'min', 'max'],
  dynamiczone: ['required', 'private', 'components', 'min', 'max'],
  relation: ['private'],
};

/** The rules that count for a type of attributes. */
export function optionsOf(kind: string): readonly Option[] {
  if (!isScalar(kind)) return ofOthers[kind] ?? [];
  const { value } = scalarTypes[kind];
  const rules: readonly string[] = scalarTypes[kind].rules;
  return [
    'required',
    ...(rules.includes('unique') ? (['unique'] as const) : []),
    'private',
    ...(kind === 'enumeration' ? (['enum'] as const) : []),
    ...(kind === 'uid' ? (['targetField'] as const) : []),
    ...(rules.includes('lengths') ? (['minLength', 'maxLength', 'regex'] as const) : []),
    ...(rules.includes('limits') ? (['min', 'max'] as const) : []),
    ...(value === 'json' || kind === 'password' || kind === 'uid' ? [] : (['default'] as const)),
  ];
}

export const switches: ReadonlySet<Option> = new Set(['required', 'unique', 'private', 'multiple', 'repeatable']);
export const numbers: ReadonlySet<Option> = new Set(['minLength', 'maxLength', 'min', 'max']);
export const lists: ReadonlySet<Option> = new Set(['enum', 'components', 'allowedTypes']);

/** The values of the form: texts, with a line for each element of a list; a switch that is on is `true`. */
export type OptionTexts = Readonly<Partial<Record<Option, string>>>;

/** What the form shows of an attribute. */
export const textsOf = (attribute: AttributeDefinition): OptionTexts =>
  Object.fromEntries(
    optionsOf(attribute.type).flatMap((option) => {
      const value = attribute[option];
      if (value === undefined || value === null || value === false)
        return option === 'default' && value === false ? [[option, 'false']] : [];
      return [[option, Array.isArray(value) ? value.join('\n') : String(value)]];
    }),
  );

/** The attribute that a form describes. What the form does not show or change stays as it is, in its place. */
export function attributeFrom(
  former: AttributeDefinition | undefined,
  type: string,
  texts: OptionTexts,
): AttributeDefinition {
  const before = former === undefined ? {} : textsOf(former);
  const changed = optionsOf(type).filter((option) => (texts[option] ?? '') !== (before[option] ?? ''));
  const set = changed.flatMap((option) => {
    const text = texts[option]?.trim() ?? '';
    return text === '' ? [] : [[option, valueOf(type, option, text)] as const];
  });
  const removed = new Set<string>(changed.filter((option) => !set.some(([name]) => name === option)));
  const kept = Object.entries(former ?? {}).filter(([name]) => !removed.has(name));
  return { type, ...Object.fromEntries(kept), ...Object.fromEntries(set) };
}

function valueOf(type: string, option: Option, text: string): unknown {
  if (switches.has(option)) return true;
  if (lists.has(option))
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const isNumber =
    numbers.has(option) || (option === 'default' && isScalar(type) && scalarTypes[type].value === 'number');
  if (isNumber && Number.isSafeInteger(Number(text))) return Number(text);
  if (isNumber && type !== 'biginteger' && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' && option === 'default' ? text === 'true' : text;
}
