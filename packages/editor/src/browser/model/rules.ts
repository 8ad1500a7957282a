import type { Texts } from '../language/texts.js';
import { isShownWith } from './help/condition.js';
import {
  componentOf,
  formAttributes,
  isParts,
  isReadInForm,
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
  /** It is about to be published: what a stored entry may have lost is asked for as well. */
  readonly publishing: boolean;
  readonly texts: Texts['rules'];
  /** Where a text is not JSON; undefined: it is. */
  readonly mistakenLine: (text: string) => number | undefined;
}

/**
 * The rules that the values of a form break, in the order of the form. The service checks the same, and what only it
 * knows.
 */
export function findIssues(content: Content, model: Model, values: Values, check: Check, path = ''): readonly Issue[] {
  return formAttributes(model)
    .filter(({ create, update }) => (check.stored ? update : create))
    .flatMap((attribute) =>
      // What is not shown is not asked for: only a value that is there has to be right.
      issuesOf(
        content,
        attribute,
        values[attribute.name] ?? null,
        isShownWith(model, attribute.name, values) ? check : { ...check, draft: true },
        `${path}${attribute.name}`,
      ),
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
  // A stored entry may have lost its related one. The API requires no file, as Strapi's does not; the form asks for it.
  if (isLinks(value) || attribute.type === 'relation' || attribute.type === 'media') {
    const isMissing = !isLinks(value) || value.items.length === 0;
    const isNeeded = attribute.required && !check.draft && (check.publishing || !check.stored);
    return issue(isNeeded && isMissing ? check.texts.required : undefined);
  }
  if (value === null || value === '') {
    const isKept = check.stored && !isReadInForm(attribute);
    const isGenerated = attribute.generated === true && !check.stored;
    const isMissing = attribute.required && !check.draft && !isKept && !isGenerated;
    return issue(isMissing ? check.texts.required : undefined);
  }
  return issue(
    typeof value === 'string' ? (checks[attribute.type] ?? checkLength)(attribute, value, check) : undefined,
  );
}

function checkCount(
  { required, multiple, min, max }: PartsAttribute,
  count: number,
  { draft, texts }: Check,
): string | undefined {
  if (!multiple) return required && !draft && count === 0 ? texts.required : undefined;
  if (max !== undefined && count > max) return texts.atMostElements(max);
  if (min !== undefined && count < min && (count > 0 || required)) return texts.atLeastElements(min);
  return undefined;
}

const integer = /^[+-]?\d+$/;
const day = /^\d{4}-\d\d-\d\d$/;
const clock = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/;

type CheckText = (attribute: ScalarAttribute, text: string, check: Check) => string | undefined;

const checkInteger: CheckText = (attribute, text, { texts }) =>
  integer.test(text) && (attribute.type === 'biginteger' || Number.isSafeInteger(Number(text)))
    ? checkBounds(attribute, BigInt(text), texts)
    : texts.integer;
const checkNumber: CheckText = (attribute, text, { texts }) =>
  Number.isFinite(Number(text)) && text.trim() !== '' ? checkBounds(attribute, Number(text), texts) : texts.number;
const checkTime: CheckText = (_attribute, text, { texts }) =>
  Number.isNaN(Date.parse(text)) ? texts.datetime : undefined;
const matching =
  (pattern: RegExp, message: 'email' | 'uid'): CheckText =>
  (attribute, text, check) =>
    pattern.test(text) ? checkLength(attribute, text, check) : check.texts[message];

/** By type: the first rule that a string breaks. */
const checks: Readonly<Partial<Record<ScalarAttribute['type'], CheckText>>> = {
  json: checkJson,
  blocks: checkJson,
  array: checkJson,
  integer: checkInteger,
  biginteger: checkInteger,
  decimal: checkNumber,
  float: checkNumber,
  date: (_attribute, text, { texts }) => (day.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : texts.date),
  time: (_attribute, text, { texts }) => (clock.test(text) ? undefined : texts.time),
  datetime: checkTime,
  timestamp: checkTime,
  enumeration: ({ values }, text, { texts }) => (values?.includes(text) === true ? undefined : texts.enumeration),
  email: matching(/^[^\s@]+@[^\s@]+$/, 'email'),
  uid: matching(/^[\w.~-]+$/, 'uid'),
};

function checkJson({ type }: ScalarAttribute, text: string, { texts, mistakenLine }: Check): string | undefined {
  const line = mistakenLine(text);
  if (line !== undefined) return texts.json(line);
  return type === 'json' || Array.isArray(JSON.parse(text)) ? undefined : texts.list;
}

function checkBounds({ min, max }: ScalarAttribute, value: number | bigint, texts: Texts['rules']): string | undefined {
  // Numbers and big integers can be compared with each other.
  if (min !== undefined && value < limitOf(min)) return texts.atLeast(min);
  return max !== undefined && value > limitOf(max) ? texts.atMost(max) : undefined;
}

/** The limit of a big integer is a string of digits. */
const limitOf = (limit: number | string): number | bigint => (typeof limit === 'string' ? BigInt(limit) : limit);

/** Lengths count UTF-16 code units, like those of the service. */
function checkLength(
  { minLength, maxLength, regex, message }: ScalarAttribute,
  text: string,
  { draft, texts }: Check,
): string | undefined {
  if (minLength !== undefined && !draft && text.length < minLength) return texts.atLeastCharacters(minLength);
  if (maxLength !== undefined && text.length > maxLength) return texts.atMostCharacters(maxLength);
  return regex !== undefined && !new RegExp(regex).test(text) ? (message ?? texts.match(regex)) : undefined;
}
