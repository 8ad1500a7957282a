import type { ContentType, Registry } from '../../content-types/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';
import { parseId } from '../../query/parse-id.js';
import { placeFiles, populateFor } from './place-files.js';
import type { Turns } from './turns.js';

/** The entry and the media field that `ref`, `refId` and `field` name. */
export interface Target {
  readonly type: ContentType;
  readonly id: number;
  readonly path: readonly string[];
}

/**
 * The target that a client names; undefined where it names none that there can be: as recorded, files are then stored
 * alone.
 * @throws AppError forbidden for a type whose entries the caller may not write
 */
export function parseTarget(
  { ref, refId, field }: Readonly<Record<string, unknown>>,
  { contentTypes }: Registry,
  caller: Caller,
): Target | undefined {
  const type = typeof ref === 'string' ? contentTypes.get(ref) : undefined;
  const id = parseId(refId);
  if (type === undefined || id === undefined || typeof field !== 'string' || field === '') return undefined;
  if (!['update', 'create'].some((action) => caller.may(`${type.uid}.${action}`))) throw new AppError('forbidden');
  return { type, id, path: field.split('.') };
}

/** Puts files into an entry's media field: beside those that a list holds, else in place of the one that is there. */
export type Attach = (target: Target, files: readonly Entry[]) => Promise<void>;

export const createAttach =
  (entries: Entries, inTurn: Turns): Attach =>
  ({ type, id, path }, files) =>
    inTurn(`${type.uid}:${id}`, async () => {
      const populate = populateFor(type.attributes, [path]);
      const stored = await entries.findFirst(type.uid, { filters: { id }, populate });
      const placements = [{ path, ids: files.map((file) => file.id) }];
      const data = stored && placeFiles({}, type.attributes, placements, stored);
      if (data !== undefined && Object.keys(data).length > 0) await entries.update(type.uid, id, data);
    });
