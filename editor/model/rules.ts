import {
  componentOf,
  formAttributes,
  isParts,
  type Attribute,
  type Content,
  type Model,
  type PartsAttribute,
  type ScalarAttribute,
} from './schema.js';
import { isLinks, type Part, type Value, type Values } from './values.js';

/** A rule that a value breaks. */
export interface Issue {
  /** E.g. `blocks.0.text`. */
  readonly path: string;
  readonly message: string;
}

interface Check {
  /** Drafts may lack required values, and have text below its minimum length. */
  readonly draft: boolean;
  /** Hidden values of stored entries and components need not be typed again. */
  readonly stored: boolean;
}

/** The rules that the values of a form break, in the order of the form. The service checks the same, and what only it knows. */
export function findIssues(content: Content, model: Model, values: Values, check: Check, path = ''): readonly Issue[] {
  return formAttributes(model)
    .filter(({ create, update }) => (check.stored ? update : create))
    .flatMap((attribute) =>
      issuesOf(content, attribute, values[attribute.name] ?? null, check, `${path}${attribute.name}`),
    );
}

function issuesOf(content: Content, attribute: Attribute, value: Value, check: Check, path: string): readonly Issue[] {
  const issue = (message: string | undefined): readonly Issue[] => (message === undefined ? [] : [{ path, message }]);
  if (isParts(attribute)) {
    const parts = (value ?? []) as readonly Part[];
    return [
      ...issue(checkCount(attribute, parts.length, check)),
      ...parts.flatMap(({ component, id, values }, index) => {
        const inner = attribute.multiple ? `${path}.${index}.` : `${path}.`;
        return findIssues(
          content,
          componentOf(content, component),
          values,
          { ...check, stored: id !== undefined },
          inner,
        );
      }),
    ];
  }
  // Relations and files are never required, as in Strapi.
  if (isLinks(value) || attribute.type === 'relation' || attribute.type === 'media') return [];
  if (value === null || value === '') {
    const isKept = check.stored && !attribute.read;
    const isMissing = attribute.required && !check.draft && !isKept;
    return issue(isMissing && !isGenerated(attribute) ? 'Required' : undefined);
  }
  return issue(
    typeof value === 'string' ? (checks[attribute.type] ?? checkLength)(attribute, value, check) : undefined,
  );
}

/** The service generates an empty `uid`. */
const isGenerated = ({ type }: ScalarAttribute): boolean => type === 'uid';

function checkCount(
  { required, multiple, min, max }: PartsAttribute,
  count: number,
  { draft }: Check,
): string | undefined {
  if (!multiple) return required && !draft && count === 0 ? 'Required' : undefined;
  if (max !== undefined && count > max) return `At most ${max} elements`;
  if (min !== undefined && count < min && (count > 0 || required)) return `At least ${min} elements`;
  return undefined;
}

const integer = /^[+-]?\d+$/;
const day = /^\d{4}-\d\d-\d\d$/;
const clock = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/;

type CheckText = (attribute: ScalarAttribute, text: string, check: Check) => string | undefined;

const checkInteger: CheckText = (attribute, text) =>
  integer.test(text) && (attribute.type === 'biginteger' || Number.isSafeInteger(Number(text)))
    ? checkBounds(attribute, BigInt(text))
    : 'Must be a number without fraction';
const checkNumber: CheckText = (attribute, text) =>
  Number.isFinite(Number(text)) && text.trim() !== '' ? checkBounds(attribute, Number(text)) : 'Must be a number';
const checkTime: CheckText = (_attribute, text) =>
  Number.isNaN(Date.parse(text)) ? 'Must be a date with a time' : undefined;
const matching =
  (pattern: RegExp, message: string): CheckText =>
  (attribute, text, check) =>
    pattern.test(text) ? checkLength(attribute, text, check) : message;

/** By type: the first rule that a string breaks. */
const checks: Readonly<Partial<Record<ScalarAttribute['type'], CheckText>>> = {
  json: checkJson,
  blocks: checkJson,
  array: checkJson,
  integer: checkInteger,
  biginteger: checkInteger,
  decimal: checkNumber,
  float: checkNumber,
  date: (_attribute, text) =>
    day.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : 'Must be a date: 2030-01-31',
  time: (_attribute, text) => (clock.test(text) ? undefined : 'Must be a time: 09:30'),
  datetime: checkTime,
  timestamp: checkTime,
  enumeration: ({ values }, text) => (values?.includes(text) === true ? undefined : 'Choose one of the values'),
  email: matching(/^[^\s@]+@[^\s@]+$/, 'Must be an email address'),
  uid: matching(/^[\w.~-]+$/, 'Only letters, digits and -_.~ without spaces'),
};

function checkJson({ type }: ScalarAttribute, text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return type === 'json' || Array.isArray(value) ? undefined : 'Must be a list in JSON';
  } catch (error) {
    return `Must be JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function checkBounds({ min, max }: ScalarAttribute, value: number | bigint): string | undefined {
  // Numbers and big integers can be compared with each other.
  if (min !== undefined && value < limitOf(min)) return `At least ${min}`;
  return max !== undefined && value > limitOf(max) ? `At most ${max}` : undefined;
}

/** The limit of a big integer is a string of digits. */
const limitOf = (limit: number | string): number | bigint => (typeof limit === 'string' ? BigInt(limit) : limit);

/** Lengths count UTF-16 code units, like those of the service. */
function checkLength(
  { minLength, maxLength, regex }: ScalarAttribute,
  text: string,
  { draft }: Check,
): string | undefined {
  if (minLength !== undefined && !draft && text.length < minLength) return `At least ${minLength} characters`;
  if (maxLength !== undefined && text.length > maxLength) return `At most ${maxLength} characters`;
  return regex !== undefined && !new RegExp(regex).test(text) ? `Must match ${regex}` : undefined;
}
