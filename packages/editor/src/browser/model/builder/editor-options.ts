import { scalarTypes, type ScalarType } from '../attribute-types.js';
import type { AttributeDefinition, Definition } from './models.js';

/** The options of `pluginOptions.editor` that are texts: of attributes, and of types and components. */
export const attributeTexts = ['label', 'description', 'placeholder', 'message', 'section'] as const;
export const typeTexts = ['label', 'pluralLabel', 'description'] as const;
export const componentTexts = ['label', 'description'] as const;
export type TextOption = (typeof attributeTexts)[number] | (typeof typeTexts)[number];

/** The key of a text for all languages. */
export const ALL = '';

/** A text by languages, in a form. */
export type FormTexts = Readonly<Record<string, string>>;

/** What an attribute of a condition is compared with; `isNotSet` is written as `isSet: false`. */
export const conditionTests = ['equals', 'not', 'in', 'isSet', 'isNotSet'] as const;
export type ConditionTest = (typeof conditionTests)[number];
/** The tests that compare with values. */
export const comparing: ReadonlySet<ConditionTest> = new Set(['equals', 'not', 'in']);

export interface FormCondition {
  /** Empty: it is always shown. */
  readonly attribute: string;
  readonly test: ConditionTest;
  /** A value, or with `in` one on each line. */
  readonly value: string;
}

/** What the forms of the builder show of `pluginOptions.editor`. */
export interface EditorOptions {
  readonly texts: Readonly<Partial<Record<TextOption, FormTexts>>>;
  /** Empty: as the editor does it by itself. */
  readonly width: string;
  readonly panel: string;
  readonly condition: FormCondition;
}

type Data = Readonly<Record<string, unknown>>;
const dataOf = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const noCondition: FormCondition = { attribute: '', test: 'equals', value: '' };

/** What `pluginOptions` say to the editor, for a form. */
export function editorOptionsOf(pluginOptions: unknown, names: readonly TextOption[] = attributeTexts): EditorOptions {
  const editor = dataOf(dataOf(pluginOptions)['editor']);
  return {
    texts: Object.fromEntries(names.map((name) => [name, textsOf(editor[name])])),
    width: stringOf(editor['width']),
    panel: stringOf(editor['panel']),
    condition: conditionOf(editor['condition']),
  };
}

const textsOf = (text: unknown): FormTexts =>
  typeof text === 'string'
    ? { [ALL]: text }
    : Object.fromEntries(Object.entries(dataOf(text)).map(([language, one]) => [language, stringOf(one)]));

function conditionOf(written: unknown): FormCondition {
  const { attribute, isSet, ...compared } = dataOf(written);
  if (typeof attribute !== 'string') return noCondition;
  const [test, value] = Object.entries(compared)[0] ?? ['isSet', undefined];
  if (value === undefined) return { attribute, test: isSet === false ? 'isNotSet' : 'isSet', value: '' };
  return {
    attribute,
    test: test as ConditionTest,
    value: Array.isArray(value) ? value.join('\n') : String(value),
  };
}

/**
 * `pluginOptions` with what a form says to the editor. What the form does not show stays; undefined: there are none, as
 * before.
 * @param attributes those that a condition can ask for
 */
export function withEditorOptions(
  pluginOptions: unknown,
  { texts, width, panel, condition }: EditorOptions,
  attributes: Definition['attributes'] = {},
): Data | undefined {
  const former = dataOf(pluginOptions);
  const written: Data = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, writtenText(text)])),
    width: width === '' ? undefined : width,
    panel: panel === '' ? undefined : panel,
    condition: writtenCondition(condition, attributes[condition.attribute]),
  };
  const merged = Object.entries({ ...dataOf(former['editor']), ...written });
  const editor = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  const { editor: _former, ...others } = former;
  if (Object.keys(editor).length > 0) return { ...former, editor };
  return pluginOptions === undefined ? undefined : others;
}

/** The text of a form in a language. English is for all that have none. */
export const textIn = (texts: FormTexts = {}, language: string): string =>
  texts[language] ?? (language === ALL ? texts['en'] : undefined) ?? '';

/** Texts with another one. What is said to all becomes the English text where a language gets one of its own. */
export function withText(texts: FormTexts = {}, language: string, text: string): FormTexts {
  const { [ALL]: all, ...byLanguage } = texts;
  const hasLanguages = Object.values(byLanguage).some((other) => other !== '');
  if (language === ALL) return hasLanguages ? { ...byLanguage, en: text } : { [ALL]: text };
  return { ...(all !== undefined && text !== '' ? { en: all } : texts), ...byLanguage, [language]: text };
}

function writtenText(texts: FormTexts): unknown {
  const filled = Object.entries(texts).flatMap(([language, text]) =>
    text.trim() === '' ? [] : [[language, text.trim()] as const],
  );
  const { [ALL]: all, ...byLanguage } = Object.fromEntries(filled);
  return all ?? (filled.length === 0 ? undefined : byLanguage);
}

function writtenCondition({ attribute, test, value }: FormCondition, asked: AttributeDefinition | undefined): unknown {
  if (attribute === '') return undefined;
  if (test === 'isSet' || test === 'isNotSet') return { attribute, isSet: test === 'isSet' };
  const valueOf = (text: string): unknown => {
    if (asked?.type === 'boolean') return text === 'true';
    return asked !== undefined && numbers.has(asked.type) && text.trim() !== '' ? Number(text) : text;
  };
  const lines = value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { attribute, [test]: test === 'in' ? lines.map(valueOf) : valueOf(value.trim()) };
}

const numbers: ReadonlySet<string> = new Set(['integer', 'biginteger', 'decimal', 'float']);

/** The types whose values a condition can compare with; others have a value or none. */
export const isComparable = (attribute: AttributeDefinition | undefined): boolean =>
  attribute !== undefined &&
  (numbers.has(attribute.type) ||
    ['string', 'text', 'richtext', 'email', 'uid', 'enumeration', 'boolean'].includes(attribute.type));

/** As the service accepts it: texts, numbers and choices have one. */
export const hasPlaceholder = (type: string): boolean =>
  Object.hasOwn(scalarTypes, type) &&
  (type === 'blocks' || ['text', 'number', 'digits'].includes(scalarTypes[type as ScalarType].value));
