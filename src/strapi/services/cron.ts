import { Cron, type CronOptions } from 'croner';
import type { Anything, Named, Strapi, StrapiContext } from '../strapi.js';
import { isRecord } from '../../config/record.js';
import { reasonOf } from '../../errors/reason-of.js';

/** One task of `config/cron-tasks`: by its rule, or by a name with options. */
type Task =
  | ((parts: { readonly strapi: Strapi }, firedAt: Date) => unknown)
  | { readonly task: Anything; readonly options?: Anything };

interface CronService extends Named {
  add(tasks?: Named<Task>): CronService;
  remove(name: string): CronService;
  start(): CronService;
  stop(): CronService;
  /** Stops and removes all tasks. */
  destroy(): CronService;
}

interface Planned extends CronRule {
  readonly run: Anything;
  readonly options: unknown;
}

/** @throws Error for a task without a function or a rule */
function plan(name: string, task: Task): Planned {
  const { task: run, options } = typeof task === 'function' ? { task, options: name } : task;
  if (typeof run !== 'function') throw new Error(`Could not schedule a cron job for "${name}": no function found.`);
  return { ...readCronRule(name, options), run, options };
}

/**
 * `strapi.cron`: scheduled tasks, each run in one of the processes that share a database. An error of a task is logged,
 * and it runs again at its next time.
 */
export function createCron({ strapi, runtime, log }: StrapiContext): CronService {
  const planned = new Map<string, Planned>();
  const jobs = new Map<string, Cron>();
  let running = false;

  const begin = (name: string, { rule, range, run }: Planned): void => {
    const work = async (job: Cron): Promise<void> => {
      const scheduledAt = job.currentRun()?.toISOString().slice(0, 19);
      if (!(await runtime('strapi.cron').plugins.storage.locks.claim(`cron ${name} ${scheduledAt}`))) return;
      await run({ strapi }, job.currentRun() ?? new Date());
    };
    const failed = (error: unknown): void => log.error(error, `in the cron task ${name}`);
    try {
      jobs.set(name, new Cron(rule, { ...range, ...spelling, catch: failed, unref: true }, work));
    } catch (error) {
      // As in Strapi v4, the others run.
      log.error(`The cron task ${name} does not run: ${reasonOf(error)}`);
    }
  };
  const service: CronService = {
    add: (tasks = {}) => {
      for (const [name, task] of Object.entries(tasks)) {
        service.remove(name);
        const made = plan(name, task);
        if (running) begin(name, made);
        planned.set(name, made);
      }
      return service;
    },
    remove: (name) => {
      if (!name) throw new Error('You must provide a name to remove a cron job.');
      jobs.get(name)?.stop();
      jobs.delete(name);
      planned.delete(name);
      return service;
    },
    start: () => {
      running = true;
      for (const [name, made] of planned) if (!jobs.has(name)) begin(name, made);
      return service;
    },
    stop: () => {
      running = false;
      for (const job of jobs.values()) job.stop();
      jobs.clear();
      return service;
    },
    destroy: () => {
      service.stop();
      planned.clear();
      return service;
    },
    get jobs() {
      return [...jobs].map(([name, job]) => ({ name, job, options: planned.get(name)?.options }));
    },
  };
  return service;
}

/** As in Strapi v4, `0/15` is each fifteenth from 0 on. */
export const spelling = { sloppyRanges: true } as const;

/** When a task runs: a cron expression with seconds or a moment, and the range of time in which it applies. */
interface CronRule {
  readonly rule: string | Date;
  readonly range?: Pick<CronOptions, 'timezone' | 'startAt' | 'stopAt'>;
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
  if (isMoment(options)) return { rule: options };
  if (isRecurrence(options)) return { rule: expressionOf(options), range: zoneOf(options) };
  if (options !== undefined && !isRecord(options)) throw wrong(name);
  const { rule = name, start, end } = options ?? {};
  const range = {
    ...(isMoment(start) && { startAt: start }),
    ...(isMoment(end) && { stopAt: end }),
    ...zoneOf(options ?? {}),
  };
  if (isMoment(rule)) return { rule, range };
  if (typeof rule === 'number') return { rule: new Date(rule), range };
  if (isRecurrence(rule)) return { rule: expressionOf(rule), range: { ...zoneOf(rule), ...range } };
  throw wrong(name);
}

const isMoment = (value: unknown): value is string | Date => typeof value === 'string' || value instanceof Date;

const zoneOf = ({ tz }: Named): { timezone?: string } => (typeof tz === 'string' ? { timezone: tz } : {});

const wrong = (name: string): Error =>
  new Error(
    `Could not schedule a cron job for "${name}": its rule is neither a cron expression, a date nor a recurrence.`,
  );
