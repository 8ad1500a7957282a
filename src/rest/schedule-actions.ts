import { serializeJson } from '../calls/serialize.js';
import { unchanged } from '../calls/unchanged.js';
import type { StoredSchedule } from '../mongo/events/schedules.js';
import { requireId } from '../query/parse/input.js';
import { parseIds, parseSchedule, type Schedule } from '../query/parse/parse-schedule.js';
import type { ContentReply, ContentWrite, ContentWriteRequest, Perform } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { queryOf } from '../calls/query-string.js';
import { shownSchedule } from './response/envelopes.js';

/** Reads when entries are to be published and unpublished. */
export function createScheduleReplies({ documents: { schedules }, responseLimit }: RestContext) {
  return {
    findSchedule: async ({ type, id, caller }) => {
      const schedule = await schedules.find(type, requireId(id), caller);
      return { body: serializeJson(shown(schedule), responseLimit) };
    },
    findSchedules: async ({ type, caller, request }) => {
      const { ids } = queryOf(request);
      const entries = await schedules.findMany(type, ids === undefined ? undefined : parseIds(ids), caller);
      const data = entries.map(({ id, schedule }) => ({ id, ...shownSchedule(schedule) }));
      return { body: serializeJson({ data }, responseLimit) };
    },
  } satisfies Readonly<Record<string, ContentReply>>;
}

/** Replaces and removes schedules. */
export const createScheduleWrites = (context: RestContext) =>
  ({
    setSchedule: async (asked) => replace(context, asked, () => parseSchedule(asked.request.body, new Date())),
    cancelSchedule: async (asked) => replace(context, asked, () => undefined),
  }) satisfies Readonly<Record<string, ContentWrite>>;

function replace(
  { documents: { schedules }, responseLimit }: RestContext,
  { type, id: text, caller, response, terms }: ContentWriteRequest,
  parse: () => Schedule | undefined,
): Perform {
  const id = requireId(text);
  const read = async () => serializeJson(shown(await schedules.find(type, id, caller)), responseLimit);
  const check = unchanged(terms.condition, { caller, readBy: undefined, response, read });
  return async () => {
    const schedule = parse();
    await schedules.set(type, id, schedule, caller, check);
    return { body: shown(schedule), shortened: shown(schedule) };
  };
}

const shown = (schedule: StoredSchedule | undefined): object => ({ data: shownSchedule(schedule) });
