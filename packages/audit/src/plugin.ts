import {
  AppError,
  type Breach,
  type Entry,
  parseId,
  type PluginContext,
  type PluginFactory,
} from 'content-service/plugin';
import { type AuditRecord, contentOfActivity, digestWith, openCheck } from './chain.js';
import { record } from './definition.js';
import { erase, expire, keeper, recordOfLog } from './expire.js';
import { type Log, openLog } from './keep.js';
import { linesOf, listRecords, recordsOf } from './list.js';
import { parseSettings } from './settings.js';

const { uid } = record;
/** Milliseconds between two searches for records that are too old. */
const EXPIRY_INTERVAL_MS = 3_600_000;

const unchangeable = (): AppError => new AppError('forbidden', 'Nobody changes or removes what is recorded');

/** Keeps who wrote what: one record for each write, chained by hash. */
export const createPlugin: PluginFactory = (config) => {
  const { days, key } = parseSettings(config);
  const digest = digestWith(key);
  let context: PluginContext | undefined;
  let log: Log | undefined;
  let timer: NodeJS.Timeout | undefined;
  const started = (): { readonly context: PluginContext; readonly log: Log } => {
    if (context === undefined || log === undefined) throw new Error('The plugin audit has not started');
    return { context, log };
  };
  const removeOld = async (): Promise<void> => {
    if (days === undefined) return;
    const { context, log } = started();
    await context.storage.locks.hold('audit expiry', () => expire(context, log, days, new Date()));
  };
  const check = async function* (read: (uid: string) => AsyncIterable<Entry>): AsyncGenerator<Breach> {
    const { next, end } = openCheck(digest);
    for await (const entry of read(uid))
      for (const finding of next(entry.id, entry as unknown as AuditRecord)) yield { type: uid, ...finding };
    for (const finding of end()) yield { type: uid, ...finding };
  };
  return {
    name: 'audit',
    contentTypes: [record],
    hooks: {
      prepare: (data, { type, caller }) => {
        if (type.uid === uid && caller !== keeper) throw unchangeable();
        return data;
      },
      beforeDelete: async ({ type, caller }) => {
        if (type.uid === uid && caller !== keeper) throw unchangeable();
      },
    },
    start: async (running) => {
      context = running;
      log = openLog(running, digest);
    },
    ready: async (running) => {
      if (days === undefined) return;
      const work = (): void =>
        void removeOld().catch((error: unknown) => running.log.error({ err: error }, 'Old records were not removed'));
      timer = setInterval(work, EXPIRY_INTERVAL_MS).unref();
    },
    stop: async () => clearInterval(timer),
    onWrites: (writes) => started().log.keep(writes),
    onActivities: (activities) => started().log.append(activities.map(contentOfActivity)),
    check,
    routes: [
      {
        method: 'GET',
        path: '/audit',
        action: `${uid}.find`,
        caching: 'never',
        handle: async (request) => {
          const { context } = started();
          await context.storage.collectWrites();
          return { body: await listRecords(context, request) };
        },
        description: {
          summary: 'Read who wrote what, the newest first',
          tag: 'Audit',
          query: ['filters', 'sort', 'fields', 'pagination[page]', 'pagination[pageSize]'],
          response: { type: 'object' },
        },
      },
    ],
    commands: [
      {
        usage: 'audit export',
        description: 'write all records to the output, the oldest first, a line of JSON for each',
        options: { '--after <id>': 'only those after the record with this id' },
        run: async ({ after }) => {
          const first = after === undefined ? 0 : parseId(String(after));
          if (first === undefined) throw new AppError('application', '--after must be the id of a record');
          const { context, log } = started();
          await log.append([recordOfLog('export', { of: uid })]);
          return { rows: [], lines: linesOf(context, first) };
        },
      },
      {
        usage: 'audit check',
        description: 'find what was changed or taken out; check-data does it as well',
        run: async () => {
          const { context } = started();
          const rows: Breach[] = [];
          for await (const breach of check(() => recordsOf(context))) rows.push(breach);
          return { rows: rows.map(({ id, rule }) => ({ record: id, rule })), notes: [`${rows.length} found`] };
        },
      },
      {
        usage: 'audit expire',
        description: 'remove the records that are older than `days` of the settings now',
        run: async () => {
          const { context, log } = started();
          if (days === undefined) throw new AppError('application', 'The settings of audit have no days');
          return { rows: [{ removed: await expire(context, log, days, new Date()) }] };
        },
      },
      {
        usage: 'audit erase <user>',
        description: 'erase the name and the addresses of a user, by id; the records stay',
        run: async ({ user }) => {
          const { context, log } = started();
          const id = parseId(String(user));
          if (id === undefined) throw new AppError('application', 'Give the id of a user');
          return { rows: [{ records: await erase(context, log, id) }] };
        },
      },
    ],
  };
};
