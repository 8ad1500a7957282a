import type { ContentType, Registry } from '../../../content-types/model/types.js';
import { system, type Caller } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import type { SentValues } from '../../../documents/input/permitted-data.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { isNothing, parseId } from '../../../query/parse/input.js';
import { refused } from './file-info.js';
import { pathOf, placeFiles, populateFor } from './place-files.js';
import type { PluginContext } from '../../contract/plugin.js';

/** The entry and the media field that `ref`, `refId` and `field` name. */
export interface Target {
  readonly type: ContentType;
  readonly id: number;
  readonly path: readonly string[];
  readonly caller: Caller;
}

/**
 * The target that is named; undefined if one of its parts is missing: as recorded, files are then stored alone.
 * @param sent what of it the client has named: as in Strapi v4, code of a project can name any type
 * @throws AppError validation for an unknown type, and for what is no id or no name; forbidden for a type whose
 * entries, or a field, that the caller may not update
 */
export function parseTarget(
  { ref, refId, field }: Readonly<Record<string, unknown>>,
  { contentTypes }: Registry,
  caller: Caller,
  sent: SentValues,
): Target | undefined {
  if ([ref, refId, field].some(isNothing)) return undefined;
  const type = typeof ref === 'string' ? contentTypes.get(ref) : undefined;
  if (type === undefined) throw refused(['ref'], 'must be the uid of a content type, such as api::article.article');
  const id = parseId(refId);
  if (id === undefined) throw refused(['refId'], 'must be the id of an entry');
  if (typeof field !== 'string') throw refused(['field'], 'must be the name of one field');
  const action = `${type.uid}.update`;
  const path = pathOf(field);
  const attribute = type.attributes.get(path[0] ?? '');
  const isWithheld = attribute !== undefined && caller.withheld?.(action)?.has(attribute) === true;
  if (isWithheld || (sent.has('ref', ref) && !caller.may(action))) throw new AppError('forbidden');
  return { type, id, path, caller };
}

/** The number of attempts to find a component that concurrent writes replace. */
const TRIES = 10;

/**
 * Adds files to an entry's media field: appended to the current list, or replacing a single file.
 * Where the field, its component or the entry is not there, or the caller may not read the entry, nothing is changed.
 */
export async function attach(
  { entries, documents }: PluginContext,
  { type, id, path, caller }: Target,
  files: readonly Entry[],
): Promise<void> {
  const populate = populateFor(type.attributes, [path]);
  const placements = [{ path, ids: files.map((file) => file.id) }];
  const selection = { fields: [], populate: [] };
  // As in Strapi v4, only the file has an event.
  const request = { caller: system, limitedBy: caller, presenter: plainEntry, selection, event: 'none' } as const;
  for (let tries = 1; ; tries += 1) {
    const stored = await entries.findFirst(type.uid, { filters: { id }, populate });
    const { append } = placeFiles({}, type.attributes, placements, stored ?? {});
    if (stored === undefined || append.length === 0) return;
    try {
      await documents.update({ type, id }, {}, request, { append });
      return;
    } catch (error) {
      if (hasCode(error, 'notFound')) return;
      if (tries === TRIES || !hasCode(error, 'foreignComponent', 'foreignZoneComponent')) throw error;
    }
  }
}
