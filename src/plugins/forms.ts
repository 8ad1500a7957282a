import type { IncomingMessage } from 'node:http';

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
