import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { UpdateOptions } from '../../documents/write/update.js';
import type { Entry } from '../../documents/entries.js';

/** An uploaded file of a form, in a temporary folder. */
export interface ReceivedFile {
  /** The name of its form field. */
  readonly field: string;
  /** Declared by the client; not trusted. */
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Its path until the form is processed; derived files can be stored in the same folder. */
  readonly path: string;
}

export interface ReceivedForm {
  /** The other fields; several with one name are a list. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly ReceivedFile[];
}

/** Whether the body of a request is a form with files. The names of media types have no case. */
export const isForm = (headers: Pick<IncomingHttpHeaders, 'content-type'>): boolean =>
  /^\s*multipart\//i.test(headers['content-type'] ?? '');

const RECEIVED = Symbol('received form');
type Received = { [RECEIVED]?: ReceivedForm };

/** Leaves a form to whoever reads it next: it was read for middlewares of a project, which may have changed it. */
export function leaveForm(message: IncomingMessage, form: ReceivedForm): void {
  (message as Received)[RECEIVED] = form;
}

/** The form of a request that was read before. */
export const leftForm = (message: IncomingMessage): ReceivedForm | undefined => (message as Received)[RECEIVED];

/**
 * The fields of a form as the body of a request: `data` is JSON, as in the body of an entry; another text stays as it
 * is.
 */
export function bodyOfForm({ fields }: ReceivedForm): Readonly<Record<string, unknown>> {
  const data = typeof fields['data'] === 'string' ? parseJson(fields['data']) : undefined;
  return data === undefined ? fields : { ...fields, data };
}

/** What a field of a form contains as JSON; undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Accepts a file by its form field; false: it is skipped. @throws AppError to refuse the form */
export type AcceptField = (field: string) => boolean;

/**
 * Reads a form and processes it. Its files are streamed to disk, and removed after the processing.
 * @throws AppError badRequest, payloadTooLarge
 */
export type ReadForm = <T>(
  message: IncomingMessage,
  accept: AcceptField,
  work: (form: ReceivedForm) => Promise<T>,
) => Promise<T>;

/** What to keep in sight where an image is cut: shares of its width from the left, and of its height from the top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** The editable information of a file; absent values are unchanged. */
export interface FileInfo {
  readonly name?: string | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** Null: it has none any more. */
  readonly focalPoint?: FocalPoint | null;
  /** Null: at the top, in no folder. */
  readonly folder?: number | null;
}

/**
 * Adds a file to the media library for internal code, and returns its record.
 * @param name the file name with its extension, e.g. `cat.jpg`
 * @throws AppError application, payloadTooLarge
 */
export type UploadFile = (name: string, content: Readable, info?: FileInfo) => Promise<Entry>;

/** The target entry of a body; `id` for an update. */
export interface WrittenEntry {
  readonly type: ContentType;
  readonly id: number | undefined;
  /** Whether the write creates an entry, other than that of a single type. */
  readonly isNew: boolean;
  readonly caller: Caller;
  /** The client's address, according to trusted proxies. */
  readonly address: string;
}

/** Writes an entry with the data of a body, and with files that JSON cannot contain. */
export type WriteBody<T> = (body: unknown, options: UpdateOptions) => Promise<T>;

/** Reads entry bodies of another media type, after the permission check. */
export interface BodyReader {
  /** E.g. `multipart/form-data`. */
  readonly mediaType: string;
  /**
   * Reads the form for some work, and removes its files afterwards.
   * @throws AppError badRequest, payloadTooLarge
   */
  readonly read: <T>(message: IncomingMessage, work: (form: ReceivedForm) => Promise<T>) => Promise<T>;
  /** Writes with the body and the files of a form. `write` is called once; if it fails, the files are deleted. */
  readonly attachFiles: <T>(form: ReceivedForm, entry: WrittenEntry, write: WriteBody<T>) => Promise<T>;
}
