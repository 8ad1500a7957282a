import { AppError } from '../../errors/app-error.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { scheduleCommands } from './schedule-commands.js';

/** Milliseconds between two looks for entries whose time has come. */
const INTERVAL_MS = 5000;
/** Entries of a type that are done in one round; the others follow in the next. */
const BATCH = 100;

/** Publishes and unpublishes entries at their times. */
export const createSchedule: PluginFactory = () => {
  const context = createStarted<PluginContext>('schedule');
  let stop: (() => Promise<void>) | undefined;
  return {
    name: 'schedule',
    start: async (started) => context.set(started),
    // Lifecycles of the project run with the writes.
    ready: async (running) => {
      const report = (error: unknown): void => running.log.error({ err: error }, 'Schedule: a round failed');
      stop = repeat(INTERVAL_MS, () => runDue(running, new Date()), report);
    },
    stop: async () => stop?.(),
    commands: scheduleCommands(context.get),
  };
};

/** Publishes and unpublishes due entries. */
export async function runDue(
  { registry, documents, storage: { schedules }, log }: PluginContext,
  now: Date,
): Promise<void> {
  for (const uid of await schedules.types()) {
    const type = registry.contentTypes.get(uid);
    const due = type === undefined ? [] : await schedules.find(type, { dueBy: now, limit: BATCH });
    for (const entry of due) {
      const outcome = type && (await documents.schedules.run(type, entry, now));
      if (outcome instanceof AppError)
        log.error({ err: outcome, uid, id: entry.id }, 'Schedule: an entry cannot be written');
    }
  }
}
