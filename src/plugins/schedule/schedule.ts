import { AppError } from '../../errors/app-error.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import type { Command, CommandInput } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { wrongName } from '../../errors/nearest-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import { requireId } from '../../query/parse/input.js';
import { parseSchedule } from '../../query/parse/parse-schedule.js';

/** Milliseconds between two looks for entries whose time has come. */
const INTERVAL_MS = 5000;
/** Entries of a type that are done in one round; the others follow in the next. */
const BATCH = 100;

/** Publishes and unpublishes entries at their times. */
export const createSchedule: BuiltInFactory = () => {
  const context = createStarted<BuiltInContext>('schedule');
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
async function runDue(context: BuiltInContext, now: Date): Promise<void> {
  const { documents, storage, log } = context;
  for (const type of await scheduledTypes(context)) {
    for (const entry of await storage.schedules.find(type, { dueBy: now, limit: BATCH })) {
      const outcome = await documents.schedules.run(type, entry, now);
      if (outcome instanceof AppError)
        log.error({ err: outcome, uid: type.uid, id: entry.id }, 'Schedule: an entry cannot be written');
    }
  }
}

/** The types of which entries have a schedule. */
const scheduledTypes = async ({ registry, storage }: BuiltInContext): Promise<readonly ContentType[]> =>
  (await storage.schedules.types()).flatMap((uid) => registry.contentTypes.get(uid) ?? []);

/** Entries that are listed of each type. */
const MAX_LISTED = 1000;

const scheduleCommands = (context: () => BuiltInContext): readonly Command[] => [
  {
    usage: 'schedule list',
    description: 'list the entries that are to be published or unpublished, and those where that failed',
    run: async () => ({ rows: await list(context()) }),
  },
  {
    usage: 'schedule set <uid> <id>',
    description: 'publish and unpublish an entry at a time, in place of the schedule that it has',
    options: {
      '--publish-at <time>': 'e.g. 2030-01-31T09:00:00Z',
      '--unpublish-at <time>': 'e.g. 2030-02-28T09:00:00Z',
    },
    run: async ({ uid, id, publishAt, unpublishAt }) => {
      const schedule = parseSchedule({ publishAt, unpublishAt }, new Date());
      await context().documents.schedules.set(typeOf(context(), uid), requireId(String(id)), schedule, system);
      return { rows: [{ uid, id, ...schedule }] };
    },
  },
  {
    usage: 'schedule cancel <uid> <id>',
    description: 'remove the schedule of an entry',
    run: async ({ uid, id }) => {
      await context().documents.schedules.set(typeOf(context(), uid), requireId(String(id)), undefined, system);
      return { rows: [{ cancelled: `${String(uid)} ${String(id)}` }] };
    },
  },
];

/** @throws AppError application */
function typeOf({ registry: { contentTypes } }: BuiltInContext, uid: CommandInput[string]): ContentType {
  const type = contentTypes.get(String(uid));
  if (type === undefined)
    throw new AppError('application', wrongName(String(uid), 'content type', [...contentTypes.keys()]));
  return type;
}

async function list(context: BuiltInContext) {
  const { schedules } = context.storage;
  const rows = (await scheduledTypes(context)).map(async (type) =>
    (await schedules.find(type, { limit: MAX_LISTED })).map(({ id, schedule: { publishAt, unpublishAt, error } }) => ({
      uid: type.uid,
      id,
      publishAt: publishAt?.toISOString() ?? null,
      unpublishAt: unpublishAt?.toISOString() ?? null,
      error: error ?? null,
    })),
  );
  return (await Promise.all(rows)).flat();
}
