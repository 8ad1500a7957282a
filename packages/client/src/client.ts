import type { AggregateQuery, AggregateRead } from './aggregate.js';
import type { BatchOperation, BatchResponse } from './batch.js';
import {
  encodeQuery,
  type CountQuery,
  type EntryQuery,
  type KeyName,
  type KeyValue,
  type ListQuery,
  type SingleQuery,
} from './query.js';
import type { CountRead, EntryResponse, ListRead, NewEntry, NewKeyedEntry, SingleRead } from './response.js';
import type { Exact, Models, NamesOf } from './content-types.js';
import type { Account, LogIn, Registration, UploadedFile, UploadTarget } from './account.js';
import type { ChangesQuery, ChangesRead } from './changes.js';
import type { DocumentClient } from './documents.js';
import type { CreateOptions, DryRunOptions, WriteOptions } from './write-options.js';

export type * from './account.js';
export type * from './aggregate.js';
export type * from './batch.js';
export type * from './changes.js';
export type * from './documents.js';
export type * from './model.js';
export type * from './write-options.js';
export type { CountQuery, EntryQuery, Filters, KeyName, ListQuery, SingleQuery } from './query.js';
export type { CountRead, Entry, EntryResponse, ListRead, NewEntry, Pagination, SingleRead } from './response.js';

interface ClientOptions {
  /** Where the service is, e.g. `https://cms.example.org`. */
  readonly url: string;
  /** An API token, or what a log-in gave; without it the client is the public. */
  readonly token?: string;
  /** The format of the API: that of Strapi v4, or with 5 that of Strapi 5, which the plugin `strapi5` answers. */
  readonly format?: 4 | 5;
  /** The path of the API. Default: `/api`, with the format 5 `/v5/api`. */
  readonly path?: string;
}

/** The service refused the request, or it failed. */
export class RequestError extends Error {
  override readonly name: string;
  readonly status: number;
  /** E.g. `{ errors: [{ path, message, name }] }`: the errors with their paths. */
  readonly details: unknown;

  constructor(status: number, name: string, message: string, details: unknown) {
    super(message);
    this.name = name;
    this.status = status;
    this.details = details;
  }
}

/** Writes an entry that may not exist yet; its data need not repeat the key. */
type KeyedCreation<C extends Models<C>> = <
  N extends NamesOf<C, 'collection'>,
  K extends KeyName<C[N]>,
  const Q extends EntryQuery<C[N]> = object,
>(
  collection: N,
  attribute: K,
  value: KeyValue<C[N], K>,
  data: NewKeyedEntry<C[N], K>,
  query?: Exact<Q, EntryQuery<C[N]>>,
  options?: DryRunOptions,
) => Promise<EntryResponse<C[N], Q>>;

/** Strapi v4's REST actions; the types of the answers follow from `fields` and `populate`. */
export interface Client<C extends Models<C>> {
  /** A page of entries of a collection type. */
  find<N extends NamesOf<C, 'collection'>, const Q extends ListQuery<C[N]> = object>(
    collection: N,
    query?: Exact<Q, ListQuery<C[N]>>,
  ): Promise<ListRead<C[N], Q>>;
  /** The entry with this id. */
  findOne<N extends NamesOf<C, 'collection'>, const Q extends SingleQuery<C[N]> = object>(
    collection: N,
    id: number,
    query?: Exact<Q, SingleQuery<C[N]>>,
  ): Promise<EntryResponse<C[N], Q>>;
  /** The entry that has this value of a unique attribute. */
  findByKey<N extends NamesOf<C, 'collection'>, K extends KeyName<C[N]>, const Q extends SingleQuery<C[N]> = object>(
    collection: N,
    attribute: K,
    value: KeyValue<C[N], K>,
    query?: Exact<Q, SingleQuery<C[N]>>,
  ): Promise<EntryResponse<C[N], Q>>;
  /** Changes the entry that has this value of a unique attribute. */
  updateByKey<N extends NamesOf<C, 'collection'>, K extends KeyName<C[N]>, const Q extends EntryQuery<C[N]> = object>(
    collection: N,
    attribute: K,
    value: KeyValue<C[N], K>,
    data: C[N]['input'],
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** Changes the entry that has this value of a unique attribute, or creates it. */
  readonly upsert: KeyedCreation<C>;
  /** Creates the entry if no other one has this value; otherwise the status is 412. */
  readonly createByKey: KeyedCreation<C>;
  /** Deletes the entry that has this value of a unique attribute. */
  deleteByKey<N extends NamesOf<C, 'collection'>, K extends KeyName<C[N]>, const Q extends EntryQuery<C[N]> = object>(
    collection: N,
    attribute: K,
    value: KeyValue<C[N], K>,
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** The number of entries in all pages of a list. */
  count<N extends NamesOf<C, 'collection'>, const Q extends CountQuery<C[N]> = object>(
    collection: N,
    query?: Exact<Q, CountQuery<C[N]>>,
  ): Promise<CountRead>;
  /** Groups of the entries in all pages of a list, with their numbers and measures. */
  aggregate<N extends NamesOf<C, 'collection'>, const Q extends AggregateQuery<C[N]> = object>(
    collection: N,
    query?: Exact<Q, AggregateQuery<C[N]>>,
  ): Promise<AggregateRead<C[N], Q>>;
  /** Creates an entry. */
  create<N extends NamesOf<C, 'collection'>, const Q extends EntryQuery<C[N]> = object>(
    collection: N,
    data: NewEntry<C[N]>,
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: CreateOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** Changes the attributes in `data`. */
  update<N extends NamesOf<C, 'collection'>, const Q extends EntryQuery<C[N]> = object>(
    collection: N,
    id: number,
    data: C[N]['input'],
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** Deletes an entry. */
  delete<N extends NamesOf<C, 'collection'>, const Q extends EntryQuery<C[N]> = object>(
    collection: N,
    id: number,
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** The entry of a single type. */
  findSingle<N extends NamesOf<C, 'single'>, const Q extends SingleQuery<C[N]> = object>(
    single: N,
    query?: Exact<Q, SingleQuery<C[N]>>,
  ): Promise<SingleRead<C[N], Q>>;
  /** Creates or changes the entry of a single type. */
  updateSingle<N extends NamesOf<C, 'single'>, const Q extends EntryQuery<C[N]> = object>(
    single: N,
    data: C[N]['input'],
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<EntryResponse<C[N], Q>>;
  /** Deletes the entry of a single type. */
  deleteSingle<N extends NamesOf<C, 'single'>, const Q extends EntryQuery<C[N]> = object>(
    single: N,
    query?: Exact<Q, EntryQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<SingleRead<C[N], Q>>;
  /** Executes all operations, or none. */
  batch<const O extends readonly BatchOperation<C>[]>(
    operations: O,
    options?: CreateOptions,
  ): Promise<BatchResponse<C, O>>;
  /** The changes since a position; if there are none, it waits for one. */
  changes(query?: ChangesQuery<C>): Promise<ChangesRead>;
  /** Logs a user in; `token` of another client is then the `jwt` in the response. */
  logIn(input: LogIn): Promise<Account>;
  /** Registers a user. `jwt` is missing where the address has to be confirmed first. */
  register(input: Registration): Promise<Account>;
  /** Uploads files, and adds them to a media field of an entry if there is a `target`. */
  upload(files: readonly Blob[], target?: UploadTarget): Promise<readonly UploadedFile[]>;
  /** Creates the localization of an entry in another locale; resolves to its values, without an envelope. */
  createLocalization<N extends NamesOf<C, 'collection'>>(
    collection: N,
    id: number,
    data: C[N]['input'] & { readonly locale: string },
  ): Promise<C[N]['fields'] & { readonly id: number; readonly locale: string }>;
}

/**
 * A client of the REST API, for the content types that `content-service types` wrote down. It runs wherever `fetch`
 * does. Every method throws a RequestError when the answer is an error.
 */
export function createClient<C extends Models<C>>(options: ClientOptions & { readonly format: 5 }): DocumentClient<C>;
export function createClient<C extends Models<C>>(options: ClientOptions & { readonly format?: 4 }): Client<C>;
export function createClient<C extends Models<C>>(options: ClientOptions): Client<C> | DocumentClient<C> {
  const send = createSend(options);
  const both = actionsOfBoth(send);
  return options.format === 5 ? both : { ...both, ...actionsOfV4(send) };
}

/** The actions that each format has; entries are named by their number, or by their documentId. */
const actionsOfBoth = (send: Send) => ({
  find: (name: string, query?: object) => send('GET', name, query),
  findOne: (name: string, id: number | string, query?: object) => send('GET', entryPath(name, id), query),
  create: (name: string, data: object, query?: object, options?: CreateOptions) =>
    send('POST', name, dry(query, options), { data }, keyOf(options)),
  update: (name: string, id: number | string, data: object, query?: object, options?: WriteOptions) =>
    send('PUT', entryPath(name, id), dry(query, options), { data }, headersOf(options)),
  delete: (name: string, id: number | string, query?: object, options?: WriteOptions) =>
    send('DELETE', entryPath(name, id), dry(query, options), undefined, headersOf(options)),
  aggregate: (name: string, query?: object) => send('GET', `${name}/aggregate`, query),
  findSingle: (name: string, query?: object) => send('GET', name, query),
  updateSingle: (name: string, data: object, query?: object, options?: WriteOptions) =>
    send('PUT', name, dry(query, options), { data }, headersOf(options)),
  deleteSingle: (name: string, query?: object, options?: WriteOptions) =>
    send('DELETE', name, dry(query, options), undefined, headersOf(options)),
  logIn: (input: LogIn) => send('POST', 'auth/local', {}, input),
  register: (input: Registration) => send('POST', 'auth/local/register', {}, input),
  upload: (files: readonly Blob[], target?: UploadTarget) => send('POST', 'upload', {}, formOf(files, target)),
});

/** Those that only the format of Strapi v4 has. */
const actionsOfV4 = <C extends Models<C>>(send: Send): Omit<Client<C>, keyof ReturnType<typeof actionsOfBoth>> => ({
  findByKey: (name, attribute, value, query) => send('GET', keyPath(name, attribute, value), query),
  updateByKey: (name, attribute, value, data, query, options) =>
    send('PUT', keyPath(name, attribute, value), dry(query, options), { data }, headersOf(options)),
  upsert: (name, attribute, value, data, query, options) =>
    send('PUT', keyPath(name, attribute, value), dry({ ...query, upsert: true }, options), { data }),
  createByKey: (name, attribute, value, data, query, options) =>
    send('PUT', keyPath(name, attribute, value), dry(query, options), { data }, { 'If-None-Match': '*' }),
  deleteByKey: (name, attribute, value, query, options) =>
    send('DELETE', keyPath(name, attribute, value), dry(query, options), undefined, headersOf(options)),
  count: (name, query) => send('GET', `${name}/count`, query),
  batch: (operations, options) => send('POST', 'batch', dry({}, options), { operations }, keyOf(options)),
  changes: (query) => send('GET', 'changes', query),
  createLocalization: (name, id, data) => send('POST', `${name}/${id}/localizations`, {}, data),
});

type Send = ReturnType<typeof createSend>;

/**
 * Sends a request to a path of the API, and returns its response with the ETag. It stands for the response of every
 * method: that responses match the types of queries is what `tests/uses.ts` checks.
 * @throws RequestError if it is an error, TypeError if there is none
 */
function createSend({ url, token, format, path: prefix = format === 5 ? '/v5/api' : '/api' }: ClientOptions) {
  const service = serviceOf(url);
  return async (
    method: string,
    path: string,
    query: object = {},
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<never> => {
    const search = encodeQuery(query);
    const isForm = body instanceof FormData;
    const address = `${service}${prefix}/${path}`;
    const response = await fetch(`${address}${search && '?'}${search}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      // What `fetch` throws does not say where it did not get through.
      throw new TypeError(`${method} ${address}: no answer`, { cause: error });
    });
    const parsed = readJson(await response.text());
    const etag = response.headers.get('ETag');
    if (response.ok) return (etag === null ? parsed : { ...parsed, etag }) as never;
    const { name = 'Error', message = response.statusText, details } = parsed?.error ?? {};
    const hint = response.status === 404 && service.endsWith(prefix) ? ` (${address}: url is without ${prefix})` : '';
    throw new RequestError(response.status, name, message + hint, details);
  };
}

/**
 * Without slashes at its end.
 * @throws TypeError if there is none, such as a variable of the environment that is not set
 */
function serviceOf(url: unknown): string {
  if (typeof url === 'string') return url.replace(/\/+$/, '');
  throw new TypeError(
    `createClient: url is ${String(url)}; it is the address of the service, e.g. http://localhost:1337`,
  );
}

const dry = (query?: object, { dryRun }: DryRunOptions = {}): object | undefined =>
  dryRun === true ? { ...query, dryRun } : query;

const keyOf = ({ idempotencyKey }: CreateOptions = {}): Record<string, string> =>
  idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };

function headersOf(options: WriteOptions = {}): Record<string, string> {
  const { ifMatch } = options;
  if (ifMatch !== undefined) return { 'If-Match': ifMatch };
  // The write must not lose its condition unnoticed.
  if ('ifMatch' in options) throw new TypeError('ifMatch is undefined: the answer has no ETag');
  return {};
}

const entryPath = (name: string, id: number | string): string => `${name}/${encodeURIComponent(id)}`;

const keyPath = (name: string, attribute: string, value: unknown): string =>
  `${name}/by/${encodeURIComponent(attribute)}/${encodeURIComponent(String(value))}`;

function formOf(files: readonly Blob[], target: object = {}): FormData {
  const form = new FormData();
  for (const file of files) form.append('files', file);
  for (const [name, value] of Object.entries(target)) form.append(name, String(value));
  return form;
}

interface ErrorAnswer {
  readonly error?: { readonly name?: string; readonly message?: string; readonly details?: unknown };
}

/** Undefined if it is not JSON: a proxy may have answered. */
function readJson(text: string): ErrorAnswer | undefined {
  try {
    return JSON.parse(text) as ErrorAnswer;
  } catch {
    return undefined;
  }
}
