import type { Caller } from '../documents/caller.js';
import type { UpdateOptions } from '../documents/write/update.js';
import { AppError } from '../errors/app-error.js';
import type { BodyReader, ReceivedForm, WrittenEntry } from '../plugins/contract/forms.js';

/**
 * The `data` of a body; a list is passed on, for the service to refuse it by name.
 * @throws AppError missingData, invalidJson
 */
export function dataOf(body: unknown): unknown {
  if (body === null || ['string', 'number', 'boolean'].includes(typeof body)) throw new AppError('invalidJson');
  const data: unknown = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null) throw new AppError('missingData');
  return data;
}

/** The reader of a request's body, by its media type; undefined: it is JSON, or a form without files. */
export const readerOf = (
  bodyReaders: readonly BodyReader[],
  request: Pick<ReceivedBody, 'is'>,
): BodyReader | undefined => bodyReaders.find(({ mediaType }) => request.is(mediaType));

/** What a request sends: a body, or the form that was read of it. */
export interface ReceivedBody {
  readonly body: unknown;
  readonly form: ReceivedForm | undefined;
  /** Whether the body has a media type. */
  readonly is: (mediaType: string) => unknown;
  readonly caller: Caller;
  /**
   * Of the client, according to trusted proxies; empty where code of a project calls a core action without a request.
   */
  readonly address: string;
}

/**
 * Writes the data of a body, with the files of a form.
 * @throws AppError as `dataOf`, and errors of the reader and of the write
 */
export function writeData<T>(
  bodyReaders: readonly BodyReader[],
  { body, form, is, caller, address }: ReceivedBody,
  entry: Omit<WrittenEntry, 'caller' | 'address'>,
  write: (data: unknown, options?: UpdateOptions) => Promise<T>,
): Promise<T> {
  const reader = form && readerOf(bodyReaders, { is });
  if (form === undefined || reader === undefined) return write(dataOf(body));
  return reader.attachFiles(form, { ...entry, caller, address }, (placed, options) => write(dataOf(placed), options));
}
