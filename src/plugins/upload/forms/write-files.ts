import { isRecord } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import { callerKey } from '../../../documents/quota.js';
import type { Entry } from '../../../documents/entries.js';
import { sentValues } from '../../../documents/input/permitted-data.js';
import { writtenRecord, writtenRecords } from '../../../documents/response/written-response.js';
import { nearestName } from '../../../errors/nearest-name.js';
import { AppError } from '../../../errors/app-error.js';
import type { Logger } from '../../../errors/logger.js';
import { isForm, type FileInfo, type ReceivedFile, type ReceivedForm } from '../../contract/forms.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { inForm } from '../../contract/entry-form.js';
import { fileTypeOf, folderAction } from '../definitions.js';
import { requireAction } from '../folders/routes.js';
import { parseTarget, type Target } from '../media/attach.js';
import { parseFileInfo, parseFileInfos } from '../media/file-info.js';
import type { Running } from '../running.js';
import { requireId } from '../../../query/parse/input.js';

/** Who uploads files. */
export type Sender = Pick<RouteRequest, 'caller' | 'address' | 'arrived'>;

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
      ? writtenRecords(await shown(parts, request, await addFiles(parts, form.files, form.fields, request)))
      : change(form, request, parts);
  if (form !== undefined) return work({ ...form, files: form.files.filter(({ field }) => field === FILES) });
  if (isForm(message.headers)) {
    const others = new Set<string>();
    const accept = (field: string): boolean => {
      if (field !== FILES) others.add(field);
      return field === FILES;
    };
    return parts.readForm(message, accept, work).catch((error: unknown) => {
      throw error instanceof AppError && others.size > 0
        ? error.because(`files are expected in the field files; the form has some in ${[...others].join(', ')}`)
        : error;
    });
  }
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
  { caller, address, arrived }: Sender,
): Promise<readonly Entry[]> {
  if (isEmpty(received)) throw new AppError('invalidValue', 'Files are empty');
  const infos = received.length === 1 ? [parseFileInfo(fileInfo, hasFolders)] : parseFileInfos(fileInfo, hasFolders);
  const sent = sentValues(arrived);
  if (sent.has('fileInfo', fileInfo)) requireFolders(caller, infos);
  const parsed = parseTarget(target, context.registry, caller, sent);
  if (context.settings.environment === 'development') tellUnattached(target, parsed, context.log);
  const sender = callerKey(caller, address);
  return files.upload(received, { sender, infos, target: parsed });
}

/** As in Strapi v4, files with an incomplete or unknown target are stored all the same, and belong to no entry. */
function tellUnattached(written: Readonly<Record<string, unknown>>, target: Target | undefined, log: Logger): void {
  const named = ['ref', 'refId', 'field'].filter((name) => written[name] !== undefined);
  if (target === undefined) {
    if (named.length > 0)
      log.info(`Files belong to no entry: ref, refId and field are needed, the form has ${named.join(', ')}`);
    return;
  }
  const { type, path } = target;
  const [name = ''] = path;
  if (type.attributes.has(name)) return;
  const nearest = nearestName(name, type.attributes.keys());
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  log.info(`Files belong to no entry: ${type.uid} has no field ${name}${meant}`);
}

/** @throws AppError forbidden for a folder named by a caller who may not see folders */
function requireFolders(caller: Caller, infos: readonly FileInfo[]): void {
  if (infos.some(({ folder }) => folder !== undefined)) requireAction({ caller }, folderAction('find'));
}

/** The files in the form of the reply. */
const shown = ({ context }: Running, { entryForm }: RouteRequest, files: readonly Entry[]): Promise<readonly Entry[]> =>
  inForm(context.documents, fileTypeOf(context.registry), files, entryForm);

async function change(form: ReceivedForm, request: RouteRequest, parts: Running): Promise<Reply> {
  const { caller, address, query, arrived } = request;
  const {
    files,
    settings: { folders: hasFolders },
  } = parts;
  const [file, another] = form.files;
  if (another !== undefined) throw new AppError('invalidValue', 'Cannot replace a file with multiple ones');
  const { fileInfo } = form.fields;
  const info = parseFileInfo(fileInfo, hasFolders);
  if (sentValues(arrived).has('fileInfo', fileInfo)) requireFolders(caller, [info]);
  const id = requireId(query['id'], 'Entity not found');
  const written =
    file === undefined || isEmpty(form.files)
      ? await files.describe(id, info)
      : await files.replace(id, file, info, callerKey(caller, address));
  return writtenRecord((await shown(parts, request, [written]))[0] ?? written);
}
