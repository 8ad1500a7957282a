import { Cron } from 'croner';
import type { Anything, Named, Strapi, StrapiContext } from '../../strapi.js';
import { readCronRule, type CronRule } from './cron-rules.js';

/** One task of `config/cron-tasks`: by its rule, or by a name with options. */
type Task =
  | ((parts: { readonly strapi: Strapi }, firedAt: Date) => unknown)
  | { readonly task: Anything; readonly options?: Anything };

export interface CronService extends Named {
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

  const begin = (name: string, { rule, zone, from, until, run }: Planned): void => {
    const work = async (job: Cron): Promise<void> => {
      const scheduledAt = job.currentRun()?.toISOString().slice(0, 19);
      if (!(await runtime('strapi.cron').plugins.storage.locks.claim(`cron ${name} ${scheduledAt}`))) return;
      await run({ strapi }, job.currentRun() ?? new Date());
    };
    const failed = (error: unknown): void => log.error(error, `in the cron task ${name}`);
    const range = {
      ...(zone !== undefined && { timezone: zone }),
      ...(from !== undefined && { startAt: from }),
      ...(until !== undefined && { stopAt: until }),
    };
    jobs.set(name, new Cron(rule, { ...range, catch: failed, unref: true }, work));
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
