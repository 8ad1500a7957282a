import type { ContentType } from '../model/schema.js';
import type { Data } from '../model/body.js';
import { randomName } from '../model/random-name.js';
import type { Answer, Api } from './api.js';

/** An entry as the API returns it, without its envelope. */
export interface Entry {
  readonly id: number;
  readonly attributes: Data;
  /** The attributes in the answer that are prepared and not published yet; absent: nothing of the entry is. */
  readonly changes?: readonly string[];
}

export interface EntryRead {
  /** Undefined: a single type that has no entry yet. */
  readonly entry: Entry | undefined;
  readonly etag: string | undefined;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Undefined for single types, and for users where code of the project lists them. */
  readonly total: number | undefined;
}

/** Entries of content types have an envelope, users and roles do not. */
function unwrap(data: unknown): Entry {
  const { id, attributes, ...rest } = data as { readonly id: number; readonly attributes?: Data };
  return { id, attributes: attributes ?? rest };
}

/** An entry with what its working copy changes, which a read of the latest state says beside it. */
function withChanges(entry: Entry, meta: Meta | undefined): Entry {
  const changes = meta?.changes?.[entry.id];
  return changes === undefined ? entry : { ...entry, changes };
}

interface Meta {
  readonly changes?: Readonly<Record<string, readonly string[]>>;
}

export async function readPage(
  api: Api,
  type: Pick<ContentType, 'kind' | 'path' | 'plain'>,
  query: object,
  signal?: AbortSignal,
): Promise<Page> {
  if (type.kind === 'singleType') {
    const answer = await readSingle(api, type, query);
    // One entry, or a list if the query asks for all locales.
    const { data = [], meta } = (answer?.body as { readonly data?: unknown; readonly meta?: Meta } | undefined) ?? {};
    return { entries: [data ?? []].flat().map((entry) => withChanges(unwrap(entry), meta)), total: undefined };
  }
  const { body, total } = await api.get(type.path, query, signal);
  if (type.plain) return { entries: (body as readonly unknown[]).map(unwrap), total };
  const { data, meta } = body as { data: readonly unknown[]; meta: Meta & { pagination: { total?: number } } };
  return { entries: data.map((entry) => withChanges(unwrap(entry), meta)), total: meta.pagination.total };
}

/** How many entries have a value; undefined where there are more values than were counted. */
export type Counts = (value: string) => number | undefined;

/** How many entries there are of each value that the query groups by. */
export async function readCounts(
  api: Api,
  { path }: Pick<ContentType, 'path'>,
  query: object,
  signal?: AbortSignal,
): Promise<Counts> {
  const { body } = await api.get(`${path}/aggregate`, query, signal);
  const { data, meta } = body as {
    readonly data: readonly { readonly key: Data; readonly count: number }[];
    readonly meta: { readonly pagination: { readonly pageSize: number } };
  };
  const counts = new Map(data.map(({ key, count }) => [String(Object.values(key)[0]), count]));
  const isComplete = data.length < meta.pagination.pageSize;
  return (value) => counts.get(value) ?? (isComplete ? 0 : undefined);
}

/** The path of an entry; the id of a single type is not part of it. */
export const pathOf = ({ kind, path }: ContentType, id: number | undefined): string =>
  kind === 'singleType' || id === undefined ? path : `${path}/${id}`;

/** The address in the editor of the form of a new entry in this locale. */
export const newAddress = ({ path, localized }: ContentType, locale: string | undefined): string =>
  `/content/${path}/new${localized && locale !== undefined ? `?locale=${locale}` : ''}`;

/** The address in the editor of the form of a new entry beside one that is not saved yet. */
export function anotherAddress(type: ContentType, locale: string | undefined): string {
  const address = newAddress(type, locale);
  return `${address}${address.includes('?') ? '&' : '?'}begun=${randomName()}`;
}

/** The address in the editor of the form of an entry. */
export const formAddress = (type: ContentType, id: number | undefined): string => `/content/${pathOf(type, id)}`;

export async function readEntry(
  api: Api,
  type: ContentType,
  id: number | undefined,
  query: object,
): Promise<EntryRead> {
  const answer =
    type.kind === 'singleType' ? await readSingle(api, type, query) : await api.get(pathOf(type, id), query);
  if (answer === undefined) return { entry: undefined, etag: undefined };
  const { entry, etag } = entryIn(type, answer);
  if (entry === undefined) return { entry, etag };
  const whole = await withMorphTypes(api, type, id, query, entry);
  // After the entry: a value that is newer than the version of the entry is refused when it is written over.
  return { entry: await withPrivateValues(api, type, query, whole), etag };
}

/** An entry with the values that the content API never shows. */
async function withPrivateValues(api: Api, type: ContentType, query: object, entry: Entry): Promise<Entry> {
  if (!type.attributes.some((attribute) => attribute.private === true)) return entry;
  const { body } = await api.get(`admin/private/${type.uid}/${entry.id}`, statusIn(query));
  return { ...entry, attributes: { ...entry.attributes, ...(body as { readonly data: Data }).data } };
}

/** Undefined where a single type has no entry, or none that the query matches: the API says "Not Found". */
async function readSingle(api: Api, { path }: Pick<ContentType, 'path'>, query: object): Promise<Answer | undefined> {
  try {
    return await api.get(path, query);
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return undefined;
    throw error;
  }
}

/** The entry in a response. The routes of users have no versions that a write could be compared with. */
export function entryIn({ plain }: Pick<ContentType, 'plain'>, { body, etag }: Answer): EntryRead {
  if (plain) return { entry: body === null || body === undefined ? undefined : unwrap(body), etag: undefined };
  const { data, meta } = body as { readonly data: unknown; readonly meta?: Meta };
  return { entry: data === null || data === undefined ? undefined : withChanges(unwrap(data), meta), etag };
}

/**
 * Strapi returns the target of a `morphToOne` relation without its type: it is among the types for which the relation
 * is not empty.
 */
async function withMorphTypes(
  api: Api,
  type: ContentType,
  id: number | undefined,
  query: object,
  entry: Entry,
): Promise<Entry> {
  const attributes: Record<string, unknown> = { ...entry.attributes };
  for (const attribute of type.attributes) {
    const value = attributes[attribute.name];
    if (attribute.type !== 'relation' || !attribute.morph || attribute.multiple || !value) continue;
    let targets = attribute.targets;
    while (targets.length > 1) {
      const half = targets.slice(0, Math.ceil(targets.length / 2));
      const on = Object.fromEntries(half.map((uid) => [uid, { fields: ['id'] }]));
      const selection = { fields: ['id'], populate: { [attribute.name]: { on } }, ...statusIn(query) };
      const { entry: part } = entryIn(type, await api.get(pathOf(type, id), selection));
      targets = part?.attributes[attribute.name] ? half : targets.slice(half.length);
    }
    attributes[attribute.name] = { ...value, __type: targets[0] };
  }
  return { ...entry, attributes };
}

/** What a write is about: what is prepared, or what is published. */
export type WrittenStatus = 'draft' | 'published';

/** Which state of entries a query is about. */
const statusIn = (query: object): object => ('status' in query ? { status: query.status } : {});

/** The query of a form about another state: what is prepared, what is published, or the entry as a whole. */
export function withStatus(query: object, status: WrittenStatus | undefined): object {
  const { status: _, ...others } = query as { readonly status?: unknown };
  return status === undefined ? others : { ...others, status };
}

/** The locale of an entry; undefined if its type is not localized. */
export function localeOf(entry: Entry | undefined): string | undefined {
  const locale = entry?.attributes['locale'];
  return typeof locale === 'string' ? locale : undefined;
}
