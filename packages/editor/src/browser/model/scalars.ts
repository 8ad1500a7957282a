import { scalarTypes } from './attribute-types.js';
import { isScalar, type Attribute, type ScalarAttribute } from './schema.js';

/** Whether its value is any JSON. */
export const isJson = ({ type }: ScalarAttribute): boolean => scalarTypes[type].value === 'json';
export const isNumber = ({ type }: ScalarAttribute): boolean => scalarTypes[type].value === 'number';

/** A value on a calendar or a clock: a day, a time, or both. */
export type DateKind = 'day' | 'time' | 'instant';

/** What a value is that is chosen from a calendar; undefined: something else. */
export function dateKindOf(attribute: Attribute): DateKind | undefined {
  const kind = isScalar(attribute) ? scalarTypes[attribute.type].value : undefined;
  return kind === 'day' || kind === 'time' || kind === 'instant' ? kind : undefined;
}

/** The text that is edited for a value; empty for null. */
export function toText(attribute: ScalarAttribute, data: unknown): string {
  if (data === null || data === undefined) return '';
  if (isJson(attribute)) return JSON.stringify(data, undefined, 2);
  if (attribute.type === 'timestamp') return toLocal(new Date(Number(data)));
  if (attribute.type === 'datetime') return toLocal(new Date(String(data)));
  return String(data);
}

/** The strings in a list in JSON; undefined if it is something else. */
export function stringsIn(json: string): readonly string[] | undefined {
  try {
    const value: unknown = json === '' ? [] : JSON.parse(json);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The value that is stored for a string; null if it is empty. Strings that break a rule of their type have been refused
 * before.
 */
export function fromText(attribute: ScalarAttribute, text: string): unknown {
  if (text === '') return null;
  if (isJson(attribute)) return JSON.parse(text) as unknown;
  if (isNumber(attribute)) return Number(text);
  if (attribute.type === 'datetime') return new Date(text).toISOString();
  if (attribute.type === 'timestamp') return new Date(text).getTime();
  // Fields leave out milliseconds that are zero.
  if (attribute.type === 'time') return `${text}${'00:00:00.000'.slice(text.length)}`;
  return text;
}

/** A point in time as a field of a form takes it: in the time zone of the browser. */
export function toLocal(time: Date): string {
  if (Number.isNaN(time.getTime())) return '';
  const pad = (part: number, length = 2): string => String(part).padStart(length, '0');
  const date = [pad(time.getFullYear(), 4), pad(time.getMonth() + 1), pad(time.getDate())].join('-');
  const clock = [pad(time.getHours()), pad(time.getMinutes()), pad(time.getSeconds())].join(':');
  const milliseconds = time.getMilliseconds();
  return `${date}T${clock}${milliseconds === 0 ? '' : `.${pad(milliseconds, 3)}`}`;
}
