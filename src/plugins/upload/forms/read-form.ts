import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable, type Writable } from 'node:stream';
import type { Request, Response } from 'express';
import type { Options } from 'multer';
import { AppError } from '../../../errors/app-error.js';
import type { AcceptField, ReadForm, ReceivedForm } from '../../contract/forms.js';
import { withinFolder } from '../storage/temporary-folder.js';
import type { UploadSettings } from '../settings.js';

/** Milliseconds for which the rest of a refused form is received. */
const TIMEOUT_MS = 2000;
/** The maximum bytes of a form without its files. */
const OVERHEAD = 2 ** 20;
const fieldLimits = {
  fields: 100,
  fieldNameSize: 200,
  fieldSize: 2 ** 20,
  fieldNestingDepth: 4,
  fieldArrayIndexLimit: 100,
  headerPairs: 100,
};

/** Reads forms with files, which are streamed to disk. Each form has its own folder in `folder`. */
export const createReadForm =
  (folder: string, settings: UploadSettings): ReadForm =>
  async (message, accept, work) => {
    if (Number(message.headers['content-length']) > settings.requestLimit + OVERHEAD) {
      discard(message);
      throw new AppError('payloadTooLarge');
    }
    return withinFolder(folder, async (own) => work(await readForm(message, accept, own, settings)));
  };

async function readForm(
  message: IncomingMessage,
  accept: AcceptField,
  folder: string,
  settings: UploadSettings,
): Promise<ReceivedForm> {
  const { default: multer } = await import('multer');
  const body = openBody(message, settings.requestLimit + OVERHEAD);
  // The rest of a refused form is not read.
  const stop = (): void => void setImmediate(() => body.destroy());
  const options: Options & { readonly streamHandler: (from: Readable, parser: Writable) => void } = {
    storage: multer.diskStorage({
      destination: (_request, _file, done) => done(null, folder),
      filename: (_request, _file, done) => done(null, randomUUID()),
    }),
    defParamCharset: 'utf8',
    limits: {
      ...fieldLimits,
      fileSize: settings.sizeLimit,
      files: settings.filesLimit,
      parts: settings.filesLimit + fieldLimits.fields,
    },
    fileFilter: (_request, { fieldname }, done) => {
      try {
        done(null, accept(fieldname));
      } catch (error) {
        stop();
        done(error as Error);
      }
    },
    streamHandler: (from, parser) => {
      for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit']) parser.once(event, stop);
      parser.on('file', (_field: string, file: Readable) => file.once('limit', stop));
      from.pipe(parser);
    },
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void => (error === undefined ? resolve() : reject(explain(error)));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- multer needs a readable with headers
      multer(options).any()(body as unknown as Request, {} as Response, done);
    });
  } catch (error) {
    message.unpipe(body);
    discard(message);
    throw error;
  }
  const { body: fields = {}, files = [] } = body as Partial<Pick<Request, 'body' | 'files'>>;
  return {
    fields: fields as ReceivedForm['fields'],
    files: (files as readonly Express.Multer.File[]).map((file) => ({
      field: file.fieldname,
      name: file.originalname,
      type: file.mimetype,
      size: file.size,
      path: file.path,
    })),
  };
}

/** The body separate from its connection, so that reading can stop and a response can still be sent. */
function openBody(message: IncomingMessage, limit: number): Transform {
  let size = 0;
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      if (size > limit) done(new AppError('payloadTooLarge'));
      else done(null, chunk);
    },
  });
  const lost = (): void => void body.destroy(new AppError('badRequest', 'Request aborted'));
  if (message.destroyed) lost();
  else message.once('close', () => message.readableEnded || lost()).pipe(body);
  return Object.assign(body, { headers: message.headers });
}

/**
 * Receives the rest of a refused form for a short time: a client that is disconnected while it sends does not see the
 * response. Clients that continue sending are disconnected then.
 */
function discard(message: IncomingMessage): void {
  const cut = setTimeout(() => message.destroy(), TIMEOUT_MS).unref();
  message.once('close', () => clearTimeout(cut)).resume();
}

/** Errors of multer and its parser. Errors of the file system are internal errors. */
function explain(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || 'errno' in error) return error;
  if ('code' in error && error.code === 'LIMIT_FILE_SIZE') return new AppError('payloadTooLarge');
  return new AppError('badRequest', error.message);
}
