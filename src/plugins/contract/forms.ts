import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ContentType } from '../../content-types/model/types.js';
import type { UpdateOptions } from '../../documents/write/update.js';
import type { Entry } from '../../documents/entries.js';

/** A file that came with a form, in a temporary folder. */
export interface ReceivedFile {
  /** The name of its form field. */
  readonly field: string;
  /** As the client says; not to be trusted. */
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Where it is until the form's work is done; what is made of it may be put beside it. */
  readonly path: string;
}

export interface ReceivedForm {
  /** The other fields; several with one name are a list. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly ReceivedFile[];
}

/** Decides about a file by its form field; false: it is skipped. @throws AppError to refuse the form */
export type AcceptField = (field: string) => boolean;

/**
 * Takes a form in, and works with it. Its files go to disk as they come, and are removed when the work is over.
 * @throws AppError badRequest, payloadTooLarge
 */
export type ReadForm = <T>(
  message: IncomingMessage,
  accept: AcceptField,
  work: (form: ReceivedForm) => Promise<T>,
) => Promise<T>;

/** What can be said of a file: absent is not said. */
export interface FileInfo {
  readonly name?: string | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
}

/**
 * Puts a file into the media library for our own code, and returns its record.
 * @param name with the extension that says what it is, e.g. `cat.jpg`
 * @throws AppError application, payloadTooLarge
 */
export type UploadFile = (name: string, content: Readable, info?: FileInfo) => Promise<Entry>;

/** The entry that a body is for; `id` of one that is updated. */
export interface Written {
  readonly type: ContentType;
  readonly id: number | undefined;
}

/** Writes an entry with a body as if it were JSON, and with what cannot be said in one. */
export type WriteBody<T> = (body: unknown, options: UpdateOptions) => Promise<T>;

/** Reads bodies of a media type of its own when entries are written; the caller is allowed to by then. */
export interface BodyReader {
  /** E.g. `multipart/form-data`. */
  readonly mediaType: string;
  /**
   * Takes the body in and writes with it. `write` is called once; when it fails, what
   * came with the body is taken back.
   */
  readonly read: <T>(message: IncomingMessage, entry: Written, write: WriteBody<T>) => Promise<T>;
  /** The same with a form that was taken in before. */
  readonly attachFiles: <T>(form: ReceivedForm, entry: Written, write: WriteBody<T>) => Promise<T>;
}
