import { Cron } from 'croner';
import type { Anything, Named, Strapi, StrapiContext } from '../strapi.js';

/** One task of `config/cron-tasks`: by its rule, or by a name with options. */
type Task =
  ((parts: { readonly strapi: Strapi }) => unknown) | { readonly task: Anything; readonly options?: Anything };

export interface CronService extends Named {
  add(tasks: Named<Task>): CronService;
  remove(name: string): CronService;
  start(): CronService;
  stop(): CronService;
}

interface Planned {
  readonly rule: string | Date;
  readonly zone: string | undefined;
  readonly run: Anything;
}

/** @throws Error for a task without a rule */
function plan(name: string, task: Task): Planned {
  if (typeof task === 'function') return { rule: name, zone: undefined, run: task };
  const { options } = task;
  const { rule = name, tz } = (
    typeof options === 'string' || options instanceof Date ? { rule: options } : (options ?? {})
  ) as Named;
  return { rule: rule as string | Date, zone: tz as string | undefined, run: task.task };
}

/**
 * `strapi.cron`: scheduled tasks, each run in one of the processes that share a database. An error of a task is logged, and it
 * runs again at its next time.
 */
export function createCron({ strapi, runtime, log }: StrapiContext): CronService {
  const planned = new Map<string, Planned>();
  const jobs = new Map<string, Cron>();
  let running = false;

  const begin = (name: string, { rule, zone, run }: Planned): void => {
    const work = async (job: Cron): Promise<void> => {
      const scheduledAt = job.currentRun()?.toISOString().slice(0, 19);
      if (!(await runtime('strapi.cron').plugins.storage.locks.claim(`cron ${name} ${scheduledAt}`))) return;
      await run({ strapi });
    };
    const failed = (error: unknown): void => log.error(error, `in the cron task ${name}`);
    jobs.set(name, new Cron(rule, { ...(zone !== undefined && { timezone: zone }), catch: failed, unref: true }, work));
  };
  const service: CronService = {
    add: (tasks) => {
      for (const [name, task] of Object.entries(tasks)) {
        service.remove(name);
        const made = plan(name, task);
        planned.set(name, made);
        if (running) begin(name, made);
      }
      return service;
    },
    remove: (name) => {
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
    get jobs() {
      return [...jobs.keys()].map((name) => ({ name }));
    },
  };
  return service;
}
