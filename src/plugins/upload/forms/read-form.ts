import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable, type Writable } from 'node:stream';
import type { Request, Response } from 'express';
import lodash from 'lodash';
import type { Options } from 'multer';
import { bounds } from '../../../config/bounds.js';
import { AppError } from '../../../errors/app-error.js';
import { leftForm, type AcceptField, type ReadForm, type ReceivedForm } from '../../contract/forms.js';
import { BYTES_OF_CHUNK, bytesOfValues, discard, type Bodies } from '../../contract/http/receive-bodies.js';
import { withinFolder } from '../storage/temporary-folder.js';
import type { UploadSettings } from '../settings.js';
import { readableSize } from './readable-size.js';

/** The maximum bytes of a form without its files, which stay in memory until it is processed. */
const OVERHEAD = 2 ** 20;
const fieldLimits = {
  fields: bounds.formFields,
  fieldNameSize: 200,
  fieldSize: OVERHEAD,
  fieldNestingDepth: 4,
  fieldArrayIndexLimit: 100,
  headerPairs: 100,
};

/** Reads forms with files, which are streamed to disk. Each form has its own folder in `folder`. */
export const createReadForm =
  (folder: string, settings: UploadSettings, bodies: Pick<Bodies, 'openForm'>): ReadForm =>
  async (message, accept, work) => {
    const left = leftForm(message);
    if (left !== undefined) return work({ ...left, files: left.files.filter(({ field }) => accept(field)) });
    const holding = openForm(bodies, message, settings);
    try {
      return await withinFolder(folder, async (own) => {
        const texts = countTexts(holding.set);
        return work(await readForm(message, accept, own, settings, texts));
      });
    } finally {
      holding.close();
    }
  };

/** @throws AppError payloadTooLarge, overloaded, tooManyRequests */
function openForm(bodies: Pick<Bodies, 'openForm'>, message: IncomingMessage, settings: UploadSettings) {
  try {
    const size = Number(message.headers['content-length']);
    if (size > settings.requestLimit + OVERHEAD) throw exceeds('requestLimit', settings);
    return bodies.openForm(message);
  } catch (error) {
    discard(message);
    throw error;
  }
}

/** Counts what a form holds in memory: what was received of it, without what was passed on to its files. */
function countTexts(hold: (bytes: number) => void) {
  const files: Readable[] = [];
  let [received, passedOn, counted, chunks, values] = [0, 0, 0, 0, 0];
  return {
    addFile: (file: Readable): void => {
      files.push(file.on('data', (chunk: Buffer) => (passedOn += chunk.length)));
    },
    /** A text can be JSON that is parsed later. @param text undefined if its charset is unknown */
    addValue: (text = ''): void => {
      values += bytesOfValues(Buffer.from(text));
    },
    /**
     * @param added bytes that are received
     * @param waiting those that are not parsed yet
     * @throws AppError payloadTooLarge, overloaded, tooManyRequests
     */
    count: (added: number, waiting: number): void => {
      const texts = received - waiting - passedOn - lodash.sumBy(files, 'readableLength');
      received += added;
      if (texts > OVERHEAD) throw new AppError('payloadTooLarge');
      if (texts > counted) chunks += 1;
      counted = texts;
      hold(texts + chunks * BYTES_OF_CHUNK + values);
    },
  };
}

type Texts = ReturnType<typeof countTexts>;

async function readForm(
  message: IncomingMessage,
  accept: AcceptField,
  folder: string,
  settings: UploadSettings,
  texts: Texts,
): Promise<ReceivedForm> {
  const { default: multer } = await import('multer');
  let parsing: Writable | undefined;
  let tooLarge: string | undefined;
  const count = (added: number): void => texts.count(added, body.readableLength + (parsing?.writableLength ?? 0));
  const body = openBody(message, settings, count);
  // The rest of a refused form is not read.
  const stop = (): void => void setImmediate(() => body.destroy());
  const options: Options & { readonly streamHandler: (from: Readable, parser: Writable) => void } = {
    storage: multer.diskStorage({
      destination: (_request, _file, done) => done(null, folder),
      filename: (_request, _file, done) => done(null, randomUUID()),
    }),
    defParamCharset: 'utf8',
    // A path is refused by `parseFileName`, as in Strapi v4, and not stored under its last part.
    preservePath: true,
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
      parser.on('field', (_field: string, text?: string) => texts.addValue(text));
      parser.on('file', (_field: string, file: Readable, { filename }: { readonly filename?: string }) => {
        file.once('limit', () => {
          tooLarge = filename;
          stop();
        });
        texts.addFile(file);
      });
      parsing = parser;
      from.pipe(parser);
    },
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void =>
        error === undefined ? resolve() : reject(explain(error, settings, tooLarge));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- multer needs a readable with headers
      multer(options).any()(body as unknown as Request, {} as Response, done);
    });
    count(0);
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
      name: nameIn(file.originalname),
      type: file.mimetype,
      size: file.size,
      path: file.path,
    })),
  };
}

/**
 * The name of a file in a form: old browsers send their path, of which Strapi v4's parser (formidable) takes the last
 * part.
 */
const nameIn = (sent: string): string => sent.slice(sent.lastIndexOf('\\') + 1);

/** The body separate from its connection, so that reading can stop and a response can still be sent. */
function openBody(message: IncomingMessage, settings: UploadSettings, count: (bytes: number) => void): Transform {
  let size = 0;
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      try {
        if (size > settings.requestLimit + OVERHEAD) throw exceeds('requestLimit', settings);
        count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const lost = (): void => void body.destroy(new AppError('badRequest', 'Request aborted'));
  if (message.destroyed) lost();
  else message.once('close', () => message.readableEnded || lost()).pipe(body);
  return Object.assign(body, { headers: message.headers });
}

/**
 * @param limit the name of the exceeded setting
 * @param file the name of the file that exceeds it, which is said as in Strapi v4
 */
export function exceeds<Limit extends 'requestLimit' | 'sizeLimit'>(
  limit: Limit,
  settings: Pick<UploadSettings, Limit>,
  file?: string,
): AppError {
  const bytes: number = settings[limit];
  const said = file === undefined ? undefined : `${nameIn(file)} exceeds size limit of ${readableSize(bytes)}.`;
  return new AppError('payloadTooLarge', said).because(`above ${limit} of upload in config/plugins, ${bytes} bytes`);
}

/**
 * Errors of multer and its parser. Errors of the file system are internal errors.
 * @param tooLarge the name of a file
 */
function explain(error: unknown, settings: UploadSettings, tooLarge: string | undefined): unknown {
  if (error instanceof AppError || !(error instanceof Error) || 'errno' in error) return error;
  if ('code' in error && error.code === 'LIMIT_FILE_SIZE') return exceeds('sizeLimit', settings, tooLarge);
  if ('code' in error && error.code === 'LIMIT_FIELD_VALUE') return new AppError('payloadTooLarge');
  return new AppError('badRequest', error.message);
}
