import { conditionOf, uselessFor } from '../calls/condition.js';
import { serializeJson } from '../calls/serialize.js';
import { unchanged } from '../calls/unchanged.js';
import type { StoredSchedule } from '../mongo/events/schedules.js';
import { requireId } from '../query/parse/input.js';
import { parseIds, parseSchedule, type Schedule } from '../query/parse/parse-schedule.js';
import type { ContentAnswer } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { refuseDryRun } from '../plugins/contract/refuse-dry-run.js';
import { queryOf } from './query-string.js';
import { shownSchedule } from './response/envelopes.js';
import type { RestAction, RestRequest } from './rest-request.js';

/** When entries are to be published and unpublished. */
export function createScheduleActions(context: RestContext) {
  const { schedules } = context.documents;
  return {
    findSchedule: async ({ type, id, caller }) => {
      const schedule = await schedules.find(type, requireId(id), caller);
      return { body: serializeJson(shown(schedule), context.responseLimit) };
    },
    findSchedules: async ({ type, caller, request }) => {
      const { ids } = queryOf(request);
      const entries = await schedules.findMany(type, ids === undefined ? undefined : parseIds(ids), caller);
      const data = entries.map(({ id, schedule }) => ({ id, ...shownSchedule(schedule) }));
      return { body: serializeJson({ data }, context.responseLimit) };
    },
    setSchedule: (action) => replace(context, action, () => parseSchedule(action.request.body, new Date())),
    cancelSchedule: (action) => replace(context, action, () => undefined),
  } satisfies Readonly<Record<string, RestAction>>;
}

/** Replaces the schedule of an entry, once if the request has a key. */
async function replace(
  { documents: { schedules }, responseLimit }: RestContext,
  { type, id: text, caller, request, response, once }: RestRequest,
  parse: () => Schedule | undefined,
): Promise<ContentAnswer> {
  refuseDryRun(queryOf(request), 'a schedule is not an entry');
  const condition = conditionOf(request.headers, uselessFor.entry);
  const id = requireId(text);
  const read = async () => serializeJson(shown(await schedules.find(type, id, caller)), responseLimit);
  const check = unchanged(condition, { caller, readBy: undefined, response, read });
  return once(async () => {
    const schedule = parse();
    await schedules.set(type, id, schedule, caller, check);
    return { body: shown(schedule), shortened: shown(schedule) };
  });
}

const shown = (schedule: StoredSchedule | undefined): object => ({ data: shownSchedule(schedule) });
