import { groupBy } from '../../../config/group-by.js';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { parseJson, type BodyReader, type ReceivedForm, type WriteBody, type Written } from '../../contract/forms.js';
import { pathOf, placeFiles, populateFor, type Placement } from '../media/place-files.js';
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

async function writeWithFiles<T>(
  { context: { entries }, files }: Running,
  form: ReceivedForm,
  { type, id, isNew = id === undefined && type.kind === 'collectionType' }: Written,
  write: WriteBody<T>,
): Promise<T> {
  const data = parseData(form.fields['data']);
  // Data that is no object is refused as that of a JSON body.
  if (!isRecord(data)) return write({ data }, {});
  const byField = [...groupBy(form.files, ({ field }) => field)];
  const paths = byField.map(([field]) => pathOf(field.slice(PREFIX.length)));
  const populate = populateFor(type.attributes, paths);
  const byId = id === undefined ? {} : { filters: { id } };
  const stored = isNew ? undefined : await entries.findFirst(type.uid, { ...byId, populate });
  const created = await files.upload(byField.flatMap(([, received]) => received));
  const ids = created.map((file) => file.id);
  try {
    const placements = byField.map(([, received], index): Placement => {
      return { path: paths[index] ?? [], ids: ids.splice(0, received.length) };
    });
    const placed = placeFiles(data, type.attributes, placements, stored);
    return await write({ data: placed.data }, { append: placed.append });
  } catch (error) {
    await files.takeBack(created);
    throw error;
  }
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
