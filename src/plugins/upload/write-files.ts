import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { isObject } from '../../query/input.js';
import type { PluginContext, Reply, RouteRequest } from '../plugin.js';
import { parseTarget, type Attach } from './attach.js';
import { parseFileInfo, parseFileInfos } from './file-info.js';
import type { Files } from './files.js';
import { parseId } from './parse-id.js';
import type { Receive, ReceivedForm } from './receive.js';

export interface WriteParts {
  readonly context: PluginContext;
  readonly files: Files;
  readonly attach: Attach;
  readonly receive: Receive;
}

/**
 * Takes files in; with `?id=` it replaces that file, or, when none comes, changes what is said of it.
 * @throws AppError invalidValue, validation, notFound, application, badRequest, payloadTooLarge, forbidden
 */
export function writeFiles(request: RouteRequest, parts: WriteParts): Promise<Reply> {
  const { message, body, query } = request;
  const work = (form: ReceivedForm): Promise<Reply> =>
    query['id'] === undefined ? add(form, request, parts) : change(form, query['id'], parts);
  if (isForm(message)) return parts.receive(message, (field) => field === 'files', work);
  return work({ fields: isObject(body) ? body : {}, files: [], folder: '' });
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.trim().toLowerCase().startsWith('multipart/') ?? false;

/** A single file without a byte counts as none: so forms send a field in which nothing was chosen. */
const isEmpty = ({ files }: ReceivedForm): boolean =>
  files.length === 0 || (files.length === 1 && files[0]?.size === 0);

async function add(form: ReceivedForm, request: RouteRequest, parts: WriteParts): Promise<Reply> {
  if (isEmpty(form)) throw new AppError('invalidValue', 'Files are empty');
  const { fields, files: received, folder } = form;
  const said = fields['fileInfo'];
  const infos = received.length === 1 ? [parseFileInfo(said)] : parseFileInfos(said);
  const target = parseTarget(fields, parts.context.registry, request.caller);
  const files = await parts.files.upload(received, infos, folder);
  if (target !== undefined) await parts.attach(target, files);
  return { body: files };
}

async function change(form: ReceivedForm, wanted: unknown, { files }: WriteParts): Promise<Reply> {
  const [file, another] = form.files;
  if (another !== undefined) throw new AppError('invalidValue', 'Cannot replace a file with multiple ones');
  const info = parseFileInfo(form.fields['fileInfo']);
  const id = parseId(wanted);
  if (id === undefined) throw new AppError('notFound', 'Entity not found');
  if (file === undefined || isEmpty(form)) return { body: await files.describe(id, info) };
  return { body: await files.replace(id, file, info, form.folder) };
}
