import lodash from 'lodash';
import { isAbsent, isRecord } from '../../config/record.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import { parseDay, parseTimeOfDay } from '../../content-types/model/dates.js';
import type { Attribute, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import type { Named } from '../strapi.js';
import { parseType } from '../utilities/parse-type.js';
import { checkOperand, textOf } from './check-where.js';

/**
 * The data of a write for the documents service, not validated, but with values of the attributes' types.
 * @throws Error for data that is not an object, and for a value that the type of the attribute cannot hold
 */
export function processData(data: unknown, { attributes }: ContentType): Named {
  if (!isRecord(data) || data instanceof Date) throw new Error('expected a data object');
  return lodash.mapValues(data, (value, name) => valueOf(value, attributes.get(name)));
}

/** The data of a write to several entries: like `processData`, without relations. */
export function processPlainData(data: unknown, type: ContentType): Named {
  const processed = Object.entries(processData(data, type));
  return Object.fromEntries(processed.filter(([name]) => type.attributes.get(name)?.kind === 'scalar'));
}

function valueOf(value: unknown, attribute: Attribute | undefined): unknown {
  if (attribute?.kind === 'relation' || attribute?.kind === 'morphed') return relatedOf(value);
  if (attribute?.kind !== 'scalar' || value === null || value === undefined) return value;
  const written = value instanceof Date ? momentOf(value, attribute) : convert(value, attribute);
  checkOperand(attribute, written);
  return written;
}

const changes = ['set', 'connect', 'disconnect'] as const;

/** As in Strapi v4, a query takes one related entry where other writes need a list, and leaves out null. */
function relatedOf(value: unknown): unknown {
  if (Array.isArray(value)) return withoutNull(value);
  if (!isRecord(value)) return value;
  const lists = changes.filter((key) => !isAbsent(value[key])).map((key) => [key, withoutNull([value[key]].flat())]);
  return { ...value, ...Object.fromEntries(lists) };
}

const withoutNull = (list: readonly unknown[]): readonly unknown[] => list.filter((element) => !isAbsent(element));

function momentOf(value: Date, { type }: ScalarAttribute): string {
  if (type === 'date') return parseDay(value);
  return type === 'time' ? parseTimeOfDay(value) : value.toISOString();
}

function convert(value: unknown, { type }: ScalarAttribute): unknown {
  if (type === 'boolean') return parseType({ type, value, forceCast: true });
  const { kind, shape } = attributeTypes[type];
  // Blanks are 0. What is not a number stays, and is refused.
  if (kind === 'number' && shape !== 'long') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'text' ? textOf(value) : value;
}
