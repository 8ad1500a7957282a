import { parseIds, parseSchedule } from '../query/parse/parse-schedule.js';
import { requireId } from '../query/parse/input.js';
import type { Handle, RestContext } from './action.js';
import { refuseDryRun } from './conditional/dry-run.js';
import { queryOf } from './requests.js';
import { shownSchedule } from './response/serialize.js';
import { send } from './response/send.js';

type ScheduleAction = 'findSchedule' | 'findSchedules' | 'setSchedule' | 'cancelSchedule';

/** When entries are to be published and unpublished. */
export function createScheduleActions({
  documents: { schedules },
  responseLimit,
}: RestContext): Readonly<Record<ScheduleAction, Handle>> {
  return {
    findSchedule: async ({ type, id, caller, response }) => {
      const schedule = await schedules.find(type, requireId(id), caller);
      await send(response, { data: shownSchedule(schedule) }, responseLimit);
    },
    findSchedules: async ({ type, caller, request, response }) => {
      const entries = await schedules.findMany(type, parseIds(queryOf(request)['ids']), caller);
      const data = entries.map(({ id, schedule }) => ({ id, ...shownSchedule(schedule) }));
      await send(response, { data }, responseLimit);
    },
    setSchedule: async ({ type, id, caller, request, response }) => {
      refuseDryRun(queryOf(request), 'a schedule is not an entry');
      const schedule = parseSchedule(request.body, new Date());
      await schedules.set(type, requireId(id), schedule, caller);
      await send(response, { data: shownSchedule(schedule) }, responseLimit);
    },
    cancelSchedule: async ({ type, id, caller, request, response }) => {
      refuseDryRun(queryOf(request), 'a schedule is not an entry');
      await schedules.set(type, requireId(id), undefined, caller);
      await send(response, { data: shownSchedule({}) }, responseLimit);
    },
  };
}
