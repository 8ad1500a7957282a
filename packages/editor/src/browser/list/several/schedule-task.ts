import type { Api } from '../../api/api.js';
import type { Entry } from '../../api/entries.js';
import { readSchedules, type Times } from '../../api/schedules.js';
import type { ChosenTimes } from '../../form/schedule-fields.js';
import { writeInPortions } from '../../model/lists/portions.js';
import type { ContentType } from '../../model/schema.js';
import { readStillMatching, type Matching } from './matching-entries.js';
import { idsOf, READ_SIZE, reasonsOf, type Task } from './tasks.js';

/** Schedules entries of a list, those that it still has when it is their turn. */
export const scheduleTask = (api: Api, matching: Matching, times: ChosenTimes, entries: readonly Entry[]): Task => {
  const { type } = matching;
  const former = new Map<number, Times>();
  return {
    kind: 'schedule',
    type,
    entries,
    run: (control) =>
      writeInPortions({
        ...control,
        items: entries,
        size: READ_SIZE,
        current: async (portion) => {
          const now = await readStillMatching(api, matching, idsOf(portion));
          if (now.length > 0)
            for (const [id, stored] of await readSchedules(api, type, idsOf(now))) former.set(id, stored);
          return now;
        },
        write: (portion) => sendSchedules(api, type, portion, () => times),
        refusalsOf: reasonsOf,
      }),
    undo: ({ written }) =>
      written.length === 0
        ? undefined
        : {
            kind: 'scheduleBack',
            type,
            entries: written.map(({ item }) => item),
            run: (control) =>
              writeInPortions({
                ...control,
                items: written.map(({ item }) => item),
                size: READ_SIZE,
                // What somebody has scheduled otherwise since stays.
                current: async (portion) => {
                  const now = await readSchedules(api, type, idsOf(portion));
                  return portion.filter(({ id }) =>
                    scheduled.every((name) => isSameTime(now.get(id)?.[name], times[name])),
                  );
                },
                write: (portion) => sendSchedules(api, type, portion, (id) => aheadIn(former.get(id))),
                refusalsOf: reasonsOf,
              }),
          },
  };
};

const scheduled = ['publishAt', 'unpublishAt'] as const;

const isSameTime = (one: string | null | undefined, other: string | null | undefined): boolean =>
  Date.parse(one ?? '') === Date.parse(other ?? '') || (!one && !other);

/** The times of a schedule that are still to come. */
const aheadIn = (times: Times | undefined): ChosenTimes =>
  Object.fromEntries(
    scheduled.flatMap((name) => {
      const time = times?.[name] ?? null;
      return time !== null && new Date(time) > new Date() ? [[name, time]] : [];
    }),
  );

/** Gives each of the entries its schedule, or none. Each is a request of its own, and repeated it changes nothing. */
async function sendSchedules(
  api: Api,
  { path }: ContentType,
  entries: readonly Entry[],
  timesOf: (id: number) => ChosenTimes,
): Promise<readonly undefined[]> {
  for (const { id } of entries) {
    const body = timesOf(id);
    const isEmpty = Object.keys(body).length === 0;
    await api.send(isEmpty ? 'DELETE' : 'POST', `${path}/${id}/schedule`, isEmpty ? {} : { body });
  }
  return entries.map(() => undefined);
}
