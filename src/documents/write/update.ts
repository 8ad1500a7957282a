import type { Data } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { UPDATED_BY } from '../../mongo/stored/writers.js';
import { both, type Filter } from '../../query/ast.js';
import type { StoredValue } from '../../query/mutation.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import type { CreateOptions } from './create.js';
import { encodeEntry, liveMark } from './encode.js';
import { appendFiles, type Appended } from '../input/append-files.js';
import { findHiddenTargets } from '../input/hidden-targets.js';
import { dropUnreadableTargets, dropWithheld } from '../input/permitted-data.js';
import { queryFor, assertVisible, isDraft } from '../read.js';
import { parseAsIs, parseWritten } from '../input/parse-data.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';
import { writeEntry } from './write-entry.js';

export interface UpdateOptions extends Pick<CreateOptions, 'raw'> {
  /** Files that are added to media fields in addition to the data. */
  readonly append?: readonly Appended[];
  /** The data comes from `prepareChange`. */
  readonly prepared?: boolean;
  /** The client's condition on the entry. */
  readonly check?: CheckVersion | undefined;
  /** A condition on the entry, and values of the service's own that are stored with the change. */
  readonly step?: { readonly only: Filter; readonly values: ReadonlyMap<string, StoredValue | undefined> };
}

/**
 * Updates an entry and returns the requested selection.
 * @throws AppError notFound, validation, invalidValue, missingRelations, preconditionFailed
 */
export async function updateEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  data: unknown,
  request: EntryRequest,
  { raw = false, append = [], prepared = false, check, step }: UpdateOptions = {},
): Promise<unknown> {
  const visible = queryFor(context, type, 'update', request);
  const { caller, limitedBy = caller } = request;
  const only = both(context.limitOf(type, 'update', limitedBy), step?.only);
  await assertVisible(
    context,
    { type, filter: limitedBy === caller ? visible.filter : both(visible.filter, only) },
    id,
  );
  const added = dropWithheld(Object.fromEntries(append.map(({ path }) => [path[0], path])), type, 'update', limitedBy);
  const appended = append.filter(({ path }) => Object.hasOwn(added as object, path[0] as string));
  // The response shows the entry after the write, e.g. unpublished.
  const query = { ...visible, filter: undefined };
  await check?.();
  try {
    const change = prepared
      ? { data: data as Data, fromClient: new Set(Object.keys(data as Data)), hidden: undefined }
      : await prepareChange(context, type, id, data, request);
    return await whileUnchanged(context, { type, id }, check, async () => {
      const input = raw
        ? await parseAsIs(context, type, change.data, false, change.hidden)
        : await parseWritten(context, type, id, change.data, change.hidden);
      const complete = appended.reduce((entry, files) => appendFiles(entry, type.attributes, files), input);
      const encoded = await encodeEntry(context, type, complete, { isNew: false, raw });
      const own = [...(step?.values ?? []), ['updatedAt', new Date()], [UPDATED_BY, caller.user]] as const;
      const systemValues = new Map([...liveMark(encoded.values, type), ...own]);
      const { fromClient } = change;
      return writeEntry(context, type, id, { encoded, systemValues, fromClient, only, query, request });
    });
  } catch (error) {
    // A missing entry is reported before errors in the data.
    if (hasCode(error, 'validation', 'invalidValue')) await isDraft(context, type, id);
    throw error;
  }
}

/**
 * The permitted data of an update, after the hooks; the attributes in the client's data, and the entries in it that do not exist for the caller.
 * @throws AppError validation, invalidValue
 */
export async function prepareChange(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  data: unknown,
  { caller, limitedBy = caller, unlimited, dryRun: isDryRun = false }: EntryRequest,
) {
  const { hooks, relationLimit } = context;
  // As in Strapi v4, which leaves nothing of a list when it removes the locale.
  const written = Array.isArray(data) && isLocalized(type) ? {} : data;
  const writable = dropWithheld(written, type, 'update', limitedBy);
  const permitted = dropUnreadableTargets(writable, type, caller, unlimited === true ? undefined : relationLimit);
  const hidden = await findHiddenTargets(context, type, permitted, limitedBy);
  const prepared = await hooks.prepare(permitted, { action: 'update', type, id, caller, isDryRun });
  return { data: prepared, fromClient: new Set(Object.keys(permitted)), hidden };
}
