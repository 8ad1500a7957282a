import type { ContentType } from '../model/schema.js';
import type { Data } from '../model/body.js';
import type { Answer, Api } from './api.js';

/** An entry as the API returns it, without its envelope. */
export interface Entry {
  readonly id: number;
  readonly attributes: Data;
}

export interface EntryRead {
  /** Undefined: a single type that has no entry yet. */
  readonly entry: Entry | undefined;
  readonly etag: string | undefined;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Undefined for users and single types, which are read without a total. */
  readonly total: number | undefined;
}

/** Entries of content types have an envelope, users and roles do not. */
function unwrap(data: unknown): Entry {
  const { id, attributes, ...rest } = data as { readonly id: number; readonly attributes?: Data };
  return { id, attributes: attributes ?? rest };
}

export async function readPage(
  api: Api,
  type: Pick<ContentType, 'kind' | 'path' | 'plain'>,
  query: object,
): Promise<Page> {
  if (type.kind === 'singleType') {
    const answer = await readSingle(api, type, query);
    // One entry, or a list if the query asks for all locales.
    const data = [(answer?.body as { readonly data: unknown } | undefined)?.data ?? []].flat();
    return { entries: data.map(unwrap), total: undefined };
  }
  const { body } = await api.get(type.path, query);
  if (type.plain) return { entries: (body as readonly unknown[]).map(unwrap), total: undefined };
  const { data, meta } = body as { data: readonly unknown[]; meta: { pagination: { total: number } } };
  return { entries: data.map(unwrap), total: meta.pagination.total };
}

/** The path of an entry; the id of a single type is not part of it. */
export const pathOf = ({ kind, path }: ContentType, id: number | undefined): string =>
  kind === 'singleType' || id === undefined ? path : `${path}/${id}`;

/** The address in the editor of the form of a new entry in this locale. */
export const newAddress = ({ path, localized }: ContentType, locale: string | undefined): string =>
  `/content/${path}/new${localized && locale !== undefined ? `?locale=${locale}` : ''}`;

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
  return { entry: entry && (await withMorphTypes(api, type, id, entry)), etag };
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
  const data = plain ? body : (body as { readonly data: unknown }).data;
  return { entry: data === null || data === undefined ? undefined : unwrap(data), etag: plain ? undefined : etag };
}

/** Strapi returns the target of a `morphToOne` relation without its type: it is among the types for which the relation is not empty. */
async function withMorphTypes(api: Api, type: ContentType, id: number | undefined, entry: Entry): Promise<Entry> {
  const attributes: Record<string, unknown> = { ...entry.attributes };
  for (const attribute of type.attributes) {
    const value = attributes[attribute.name];
    if (attribute.type !== 'relation' || !attribute.morph || attribute.multiple || !value) continue;
    let targets = attribute.targets;
    while (targets.length > 1) {
      const half = targets.slice(0, Math.ceil(targets.length / 2));
      const on = Object.fromEntries(half.map((uid) => [uid, { fields: ['id'] }]));
      const query = { fields: ['id'], populate: { [attribute.name]: { on } } };
      const { entry: part } = entryIn(type, await api.get(pathOf(type, id), query));
      targets = part?.attributes[attribute.name] ? half : targets.slice(half.length);
    }
    attributes[attribute.name] = { ...value, __type: targets[0] };
  }
  return { ...entry, attributes };
}

/** The locale of an entry; undefined if its type is not localized. */
export function localeOf(entry: Entry | undefined): string | undefined {
  const locale = entry?.attributes['locale'];
  return typeof locale === 'string' ? locale : undefined;
}
