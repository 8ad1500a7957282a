import { isRecord } from '../../../config/record.js';
import type { Named } from '../../strapi.js';

/** When a task runs: a cron expression with seconds or a moment, and the range of time in which it applies. */
export interface CronRule {
  readonly rule: string | Date;
  readonly zone?: string;
  readonly from?: string | Date;
  readonly until?: string | Date;
}

/** The parts of a recurrence in the order of a cron expression; months start with 0. */
const parts = ['second', 'minute', 'hour', 'date', 'month', 'dayOfWeek', 'year'] as const;

type Part = (typeof parts)[number];

const isRecurrence = (value: unknown): value is Named =>
  isRecord(value) && !(value instanceof Date) && parts.some((part) => Object.hasOwn(value, part));

function fieldOf(part: Part, value: unknown): string {
  if (value === undefined) return part === 'second' ? '0' : '*';
  if (value === null) return '*';
  if (Array.isArray(value)) return value.map((element) => fieldOf(part, element)).join(',');
  const shifted = (number: unknown): number => Number(number) + (part === 'month' ? 1 : 0);
  if (!isRecord(value)) return String(shifted(value));
  const { start, end, step = 1 } = value;
  return `${shifted(start)}-${shifted(end)}/${Number(step)}`;
}

/** The expression of a recurrence such as `{ hour: 2, minute: [0, 30] }`. */
function expressionOf(recurrence: Named): string {
  const fields = parts.map((part) => fieldOf(part, recurrence[part]));
  return (recurrence['year'] === undefined ? fields.slice(0, -1) : fields).join(' ');
}

/**
 * The rule of a task in any form of Strapi v4: an expression, a date, a recurrence, or an object with `rule`, `tz`,
 * `start` and `end`.
 * @param name the rule of a task without options
 * @throws Error for another form
 */
export function readCronRule(name: string, options: unknown): CronRule {
  if (typeof options === 'string' || options instanceof Date) return { rule: options };
  if (isRecurrence(options)) return { rule: expressionOf(options), ...zoneOf(options) };
  if (options !== undefined && !isRecord(options)) throw wrong(name);
  const { rule = name, start, end } = options ?? {};
  const range = {
    ...(isMoment(start) && { from: start }),
    ...(isMoment(end) && { until: end }),
    ...zoneOf(options ?? {}),
  };
  if (typeof rule === 'string' || rule instanceof Date) return { rule, ...range };
  if (typeof rule === 'number') return { rule: new Date(rule), ...range };
  if (isRecurrence(rule)) return { rule: expressionOf(rule), ...zoneOf(rule), ...range };
  throw wrong(name);
}

const isMoment = (value: unknown): value is string | Date => typeof value === 'string' || value instanceof Date;

const zoneOf = ({ tz }: Named): { readonly zone?: string } => (typeof tz === 'string' ? { zone: tz } : {});

const wrong = (name: string): Error =>
  new Error(
    `Could not schedule a cron job for "${name}": its rule is neither a cron expression, a date nor a recurrence.`,
  );
