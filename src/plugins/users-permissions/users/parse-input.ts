import { isRecord, type Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { Issue } from '../../../errors/codes.js';
import { isEmail } from '../../../documents/input/validate/is-email.js';
import { print } from '../../../documents/input/validate/messages.js';

/** A string that an operation accepts. */
export interface TextInput {
  readonly name: string;
  /** May be left out, but not be empty. */
  readonly optional?: true;
  readonly email?: true;
  /** Characters. */
  readonly maxLength?: number;
  /** The password that it repeats. */
  readonly repeats?: string;
}

type Mistake = Pick<Issue, 'message' | 'rule' | 'limit'>;

/** The error of one value, with Strapi v4's message (from yup); undefined if it is valid. */
function mistakeIn(value: unknown, { name, optional, email, maxLength = Infinity }: TextInput): Mistake | undefined {
  const missing: Mistake = { message: `${name} is a required field`, rule: 'required' };
  if (value === undefined) return optional ? undefined : missing;
  if (typeof value !== 'string') return { message: mistyped(name, value, 'string'), rule: 'type' };
  if (value === '')
    return optional ? { message: `${name} must be at least 1 characters`, rule: 'minLength', limit: 1 } : missing;
  if (value.length > maxLength)
    return { message: `${name} must be at most ${maxLength} characters`, rule: 'maxLength', limit: maxLength };
  return email && !isEmail(value) ? { message: `${name} must be a valid email`, rule: 'email' } : undefined;
}

/** As yup says it. */
export const mistyped = (label: string, value: unknown, type: string): string =>
  `${label} must be a \`${type}\` type, but the final value was: \`${print(value)}\`.`;

const repeated: Mistake = { message: 'Passwords do not match', rule: 'repeats' };

/** The errors of the strings in an input. */
export const findIssues = (input: Data, texts: readonly TextInput[]): readonly Issue[] =>
  texts.flatMap((text) => {
    const { name, repeats } = text;
    const value = input[name];
    const mistake = mistakeIn(value, text);
    const isOther = repeats !== undefined && value !== undefined && value !== input[repeats];
    // yup compares before it looks whether there is a text, but not before it looks at the type.
    const isFirst = mistake !== undefined && (!isOther || typeof value !== 'string');
    return [...(isFirst ? [mistake] : []), ...(isOther ? [repeated] : [])].map((own) => ({ path: [name], ...own }));
  });

/** The error of an input with more than these texts, where Strapi v4 takes nothing else. */
function findUnknown(input: Data, texts: readonly TextInput[]): readonly Issue[] {
  const unknown = Object.keys(input).filter((key) => !texts.some(({ name }) => name === key));
  if (unknown.length === 0) return [];
  return [{ path: [], message: `this field has unspecified keys: ${unknown.join(', ')}` }];
}

/**
 * The texts of an input, all of them there.
 * @param further what else is wrong with the input
 * @throws AppError validation, with all that is wrong
 */
export function parseTexts<const N extends string>(
  input: Data,
  texts: readonly (TextInput & { readonly name: N })[],
  further: readonly Issue[] = [],
): Readonly<Record<N, string>> {
  const issues = [...findIssues(input, texts), ...further];
  if (issues.length > 0) throw new AppError('validation', issues);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just checked
  return Object.fromEntries(texts.map(({ name }) => [name, input[name]])) as Record<N, string>;
}

/** The texts of an input that has nothing else. @throws AppError validation, with all that is wrong */
export const parseOnlyTexts = <const N extends string>(
  input: Data,
  texts: readonly (TextInput & { readonly name: N })[],
): Readonly<Record<N, string>> => parseTexts(input, texts, findUnknown(input, texts));

/** A request's body as the input of an operation: anything that is not an object counts as empty. */
export const inputOf = (body: unknown): Data => (isRecord(body) ? body : {});

/** A request's body as `inputOf` reads it. @throws AppError validation for a list */
export function objectOf(body: unknown): Data {
  if (!Array.isArray(body)) return inputOf(body);
  throw new AppError('validation', [{ path: [], message: mistyped('this', body, 'object') }]);
}
