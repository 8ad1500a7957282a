import type { Texts } from '../language/texts.js';

/** What a field of the browser demands, as its element has it. */
export interface Demands {
  readonly type?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** As browsers say what is wrong. */
export type Validity = Readonly<
  Partial<
    Record<
      | 'valid'
      | 'customError'
      | 'valueMissing'
      | 'badInput'
      | 'typeMismatch'
      | 'patternMismatch'
      | 'tooShort'
      | 'tooLong'
      | 'rangeUnderflow'
      | 'rangeOverflow',
      boolean
    >
  >
>;

/**
 * The rules of browsers for fields, and what breaks each. The browser says it in its own language, which may be another
 * than the user chose here.
 */
const explanations: readonly (readonly [
  rule: keyof Validity,
  explain: (texts: Texts['rules'], demands: Demands) => string,
])[] = [
  ['valueMissing', (texts) => texts.required],
  ['badInput', (texts) => texts.number],
  ['typeMismatch', (texts, { type }) => (type === 'email' ? texts.email : texts.address)],
  ['tooShort', (texts, { minLength = 0 }) => texts.atLeastCharacters(minLength)],
  ['tooLong', (texts, { maxLength = 0 }) => texts.atMostCharacters(maxLength)],
  ['rangeUnderflow', (texts, { min = '' }) => texts.atLeast(min)],
  ['rangeOverflow', (texts, { max = '' }) => texts.atMost(max)],
];

/**
 * What is wrong with the value of a field; undefined: nothing.
 * @param wrong what to say of a value that does not match the pattern of the field
 */
export function explainValidity(
  validity: Validity,
  demands: Demands,
  texts: Texts['rules'],
  wrong?: string,
): string | undefined {
  // Whoever sets a rule of their own says what it is.
  if (validity.valid === true || validity.customError === true) return undefined;
  const explain = explanations.find(([rule]) => validity[rule] === true)?.[1];
  return explain?.(texts, demands) ?? wrong ?? texts.refused;
}
