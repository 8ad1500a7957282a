import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { ReceivedForm } from '../../plugins/contract/forms.js';
import { UploadedFile } from '../../plugins/contract/graphql/parts.js';

/**
 * The operations of a form, by the GraphQL multipart request convention. `operations` is JSON of one operation or a
 * batch, `map` lists for each file the paths of the nulls that it replaces.
 * @throws AppError badRequest with the cause
 */
export function readFormOperations({ fields, files }: ReceivedForm): unknown {
  const operations = parse(fields['operations'], 'operations');
  const map = parse(fields['map'], 'map');
  if (typeof operations !== 'object' || operations === null)
    throw new AppError('badRequest', 'operations must be an object or a list');
  if (!isRecord(map)) throw new AppError('badRequest', 'map must be an object');
  const places = Object.entries(map).flatMap(([field, paths]) => {
    if (!isPaths(paths))
      throw new AppError('badRequest', `map.${field} must be a list of paths such as "variables.file"`);
    return paths.map((path) => ({ field, path }));
  });
  if (places.length > bounds.filePaths) throw new AppError('badRequest', `map has more than ${bounds.filePaths} paths`);
  for (const { field, path } of places) {
    placeUpload(operations, path, new UploadedFile(files.find((file) => file.field === field)));
  }
  return operations;
}

const isPaths = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string');

/** Only an own null is replaced, so no path reaches anything else. */
function placeUpload(operations: object, path: string, file: UploadedFile): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let holder: unknown = operations;
  for (const name of names) holder = ownValue(holder, name);
  if (ownValue(holder, last) !== null) throw new AppError('badRequest', `There is no null at ${path} for a file`);
  (holder as Record<string, unknown>)[last] = file;
}

const ownValue = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;

function parse(text: unknown, name: string): unknown {
  try {
    if (typeof text === 'string') return JSON.parse(text) as unknown;
  } catch {
    // Reported below.
  }
  throw new AppError('badRequest', `The form's field ${name} must be JSON`);
}
