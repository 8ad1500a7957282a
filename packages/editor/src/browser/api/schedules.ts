import type { Refusal } from '../language/explain.js';
import type { ContentType } from '../model/schema.js';
import type { Api } from './api.js';

/** When an entry is published and unpublished. */
export interface Times {
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  /** Why the last action was refused at its time. */
  readonly error?: string;
  /** The same with codes; absent of what was refused by an earlier version of the service. */
  readonly refusal?: Omit<Refusal, 'message'>;
}

/** Why the last action was refused at its time; undefined: it was not. */
export const refusalIn = ({ error, refusal }: Times): Refusal | undefined =>
  error === undefined ? undefined : { ...refusal, message: error };

/** What is still ahead: a published entry is not published again, nor is it told why that once failed. */
export const aheadOf = (times: Times, isDraft: boolean): Times =>
  isDraft || times.publishAt === null ? times : { publishAt: null, unpublishAt: times.unpublishAt };

export const readSchedule = async (api: Api, path: string): Promise<Times> =>
  ((await api.get(`${path}/schedule`)).body as { readonly data: Times }).data;

/**
 * The schedules of entries by their ids, without those that have none; or the next ones of a type, the soonest first.
 */
export async function readSchedules(
  api: Api,
  { path }: Pick<ContentType, 'path'>,
  ids?: readonly number[],
): Promise<ReadonlyMap<number, Times>> {
  const { body } = await api.get(`${path}/schedules`, { ids: ids?.join() });
  const { data } = body as { readonly data: readonly (Times & { readonly id: number })[] };
  return new Map(data.map((times) => [times.id, times]));
}
