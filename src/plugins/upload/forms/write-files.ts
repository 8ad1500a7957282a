import { isRecord } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import { callerKey } from '../../../documents/places.js';
import type { Entry } from '../../../documents/entries.js';
import { writtenRecord, writtenRecords } from '../../../documents/response/written-response.js';
import { AppError } from '../../../errors/app-error.js';
import { isForm, type FileInfo, type ReceivedFile, type ReceivedForm } from '../../contract/forms.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { folderAction } from '../definitions.js';
import { requireAction } from '../folders/routes.js';
import { parseTarget } from '../media/attach.js';
import { parseFileInfo, parseFileInfos } from '../media/file-info.js';
import type { Running } from '../running.js';
import { requireId } from '../../../query/parse/input.js';

type Sender = Pick<RouteRequest, 'caller' | 'address'>;

/** The field of the files in a form. */
const FILES = 'files';

/**
 * Uploads files; with `?id=` replaces that file, or, without a file, changes its information.
 * @throws AppError invalidValue, validation, notFound, application, badRequest, payloadTooLarge, forbidden
 */
export function writeFiles(request: RouteRequest, parts: Running): Promise<Reply> {
  const { message, body, query, form } = request;
  const work = async (form: ReceivedForm): Promise<Reply> =>
    query['id'] === undefined || query['id'] === ''
      ? writtenRecords(await addFiles(parts, form.files, form.fields, request))
      : change(form, request, parts);
  if (form !== undefined) return work({ ...form, files: form.files.filter(({ field }) => field === FILES) });
  if (isForm(message.headers)) return parts.readForm(message, (field) => field === FILES, work);
  return work({ fields: isRecord(body) ? body : {}, files: [] });
}

/** A single empty file counts as none: forms send an empty field like that. */
const isEmpty = (files: readonly ReceivedFile[]): boolean =>
  files.length === 0 || (files.length === 1 && files[0]?.size === 0);

/**
 * Uploads files. Their information is in `fileInfo`; `ref`, `refId` and `field` name the target field.
 * @throws AppError invalidValue, validation, application, forbidden, overloaded, tooManyRequests
 */
export async function addFiles(
  { context, files, settings: { folders: hasFolders } }: Running,
  received: readonly ReceivedFile[],
  { fileInfo, ...target }: Readonly<Record<string, unknown>>,
  { caller, address }: Sender,
): Promise<readonly Entry[]> {
  if (isEmpty(received)) throw new AppError('invalidValue', 'Files are empty');
  const infos = received.length === 1 ? [parseFileInfo(fileInfo, hasFolders)] : parseFileInfos(fileInfo, hasFolders);
  requireFolders(caller, infos);
  const sender = callerKey(caller, address);
  return files.upload(received, { sender, infos, target: parseTarget(target, context.registry, caller) });
}

/** @throws AppError forbidden for a folder named by a caller who may not see folders */
function requireFolders(caller: Caller, infos: readonly FileInfo[]): void {
  if (infos.some(({ folder }) => folder !== undefined)) requireAction({ caller }, folderAction('find'));
}

async function change(
  form: ReceivedForm,
  { caller, address, query }: RouteRequest,
  { files, settings: { folders: hasFolders } }: Running,
): Promise<Reply> {
  const [file, another] = form.files;
  if (another !== undefined) throw new AppError('invalidValue', 'Cannot replace a file with multiple ones');
  const info = parseFileInfo(form.fields['fileInfo'], hasFolders);
  requireFolders(caller, [info]);
  const id = requireId(query['id'], 'Entity not found');
  if (file === undefined || isEmpty(form.files)) return writtenRecord(await files.describe(id, info));
  return writtenRecord(await files.replace(id, file, info, callerKey(caller, address)));
}
