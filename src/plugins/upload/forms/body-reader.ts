import { groupBy } from '../../../config/group-by.js';
import { isRecord, type Data } from '../../../config/record.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Entry } from '../../../documents/entries.js';
import { callerKey } from '../../../documents/quota.js';
import { dropWithheld } from '../../../documents/input/permitted-data.js';
import { AppError } from '../../../errors/app-error.js';
import {
  parseJson,
  type BodyReader,
  type ReceivedFile,
  type ReceivedForm,
  type WriteBody,
  type WrittenEntry,
} from '../../contract/forms.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import { mediaFieldAt, pathOf, placeFiles, populateFor } from '../media/place-files.js';
import { fileTypeOf } from '../definitions.js';
import type { Running } from '../running.js';

const PREFIX = 'files.';

/** Refuses files whose field does not name a path in the entry. */
function acceptPlaced(field: string): boolean {
  if (field.startsWith(PREFIX) && field.length > PREFIX.length) return true;
  throw new AppError(
    'badRequest',
    "When using multipart/form-data you need to provide your files by prefixing them with the 'files'.\n" +
      'For example, when a media file is named "avatar", make sure the form key name is "files.avatar"',
  );
}

/** Reads entries from forms: `data` is JSON, `files.<path>` are files for its media fields. */
export const createBodyReader = (parts: () => Running): BodyReader => ({
  mediaType: 'multipart/form-data',
  read: (message, work) => parts().readForm(message, acceptPlaced, work),
  attachFiles: (form, entry, write) => {
    for (const { field } of form.files) acceptPlaced(field);
    return writeWithFiles(parts(), form, entry, write);
  },
});

/** The files of a form for one media field. */
interface Taken {
  readonly path: readonly string[];
  readonly received: readonly ReceivedFile[];
}

async function writeWithFiles<T>(
  { context, files }: Running,
  form: ReceivedForm,
  written: WrittenEntry,
  write: WriteBody<T>,
): Promise<T> {
  const { type, isNew, caller, address } = written;
  const data = parseData(form.fields['data']);
  // Data that is no object is refused as that of a JSON body.
  if (!isRecord(data)) return write({ data }, {});
  const fields = [...groupBy(form.files, ({ field }) => pathOf(field.slice(PREFIX.length)).join('.'))].map(
    ([path, received]): Taken => ({ path: path.split('.'), received }),
  );
  const stored = isNew ? undefined : await findStored(context, written, fields);
  // The write refuses the entry that is missing; its files are not opened before.
  if (!isNew && stored === undefined && type.kind === 'collectionType') return write({ data }, {});
  const mayWrite = writableFields(fields, written);
  const taken = fields.flatMap(({ path, received }): readonly Taken[] => {
    const field = mayWrite(path) ? mediaFieldAt(data, type.attributes, path, stored) : undefined;
    if (field === undefined) return [];
    // Of several files for one, the last counts.
    return [{ path, received: field.many ? received : received.slice(-1) }];
  });
  logIgnored(context, written, form, taken);
  const created = await files.upload(
    taken.flatMap(({ received }) => received),
    { sender: callerKey(caller, address) },
  );
  const ids = created.map((file) => file.id);
  try {
    const placements = taken.map(({ path, received }) => ({ path, ids: ids.splice(0, received.length) }));
    const placed = placeFiles(data, type.attributes, placements, stored);
    return await write({ data: placed.data }, { append: placed.append });
  } catch (error) {
    // The write may have been done before the error, such as a lost connection.
    if (!(await areUsed(context, type, created))) await files.takeBack(created);
    throw error;
  }
}

/** Whether an entry of the type has one of these files. */
const areUsed = async (
  { documents, registry }: BuiltInContext,
  type: ContentType,
  files: readonly Entry[],
): Promise<boolean> =>
  files.length > 0 &&
  (await documents.count(type, { kind: 'refers', to: fileTypeOf(registry), ids: files.map(({ id }) => id) })) > 0;

/** The entry with what it has on the paths of files. */
async function findStored(
  { entries }: BuiltInContext,
  { type, id }: WrittenEntry,
  fields: readonly Taken[],
): Promise<Data | undefined> {
  if (id === undefined && type.kind === 'collectionType') return undefined;
  const paths = fields.map(({ path }) => path);
  const byId = id === undefined ? {} : { filters: { id } };
  return entries.findFirst(type.uid, { ...byId, populate: populateFor(type.attributes, paths) });
}

/**
 * Whether the rules of the caller let it write the attribute that a path begins with.
 * @throws AppError validation as the write would
 */
function writableFields(
  fields: readonly Taken[],
  { type, isNew, caller }: WrittenEntry,
): (path: readonly string[]) => boolean {
  const named = Object.fromEntries(fields.map(({ path: [name = ''] }) => [name, true]));
  const writable = dropWithheld(named, type, isNew ? 'create' : 'update', caller);
  return ([name = '']) => Object.hasOwn(writable as Data, name);
}

/** Tells developers which files of a form no media field takes. */
function logIgnored(
  { log, settings }: BuiltInContext,
  { type }: WrittenEntry,
  form: ReceivedForm,
  taken: readonly Taken[],
): void {
  if (settings.environment !== 'development') return;
  const used = new Set(taken.flatMap(({ received }) => received));
  const ignored = new Set(form.files.flatMap((file) => (used.has(file) ? [] : [file.field])));
  if (ignored.size > 0) log.info(`A form for ${type.uid}: no media field takes ${[...ignored].join(', ')}`);
}

/** @throws AppError badRequest */
function parseData(text: unknown): unknown {
  const data = typeof text === 'string' ? parseJson(text) : undefined;
  if (data !== undefined) return data;
  throw new AppError(
    'badRequest',
    text === undefined
      ? "When using multipart/form-data you need to provide your data in a JSON 'data' field."
      : "Invalid 'data' field. 'data' should be a valid JSON.",
  );
}
