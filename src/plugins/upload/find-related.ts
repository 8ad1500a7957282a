import type { Attribute, ContentType } from '../../content-types/types.js';
import { system, type Caller } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';
import { bare } from '../../documents/shapes.js';
import { isObject } from '../../query/input.js';
import { parseQuery } from '../../query/parse-query.js';
import { isReadable } from '../../query/visibility.js';
import type { PluginContext } from '../plugin.js';
import { fileTypeOf } from './file.js';

type Attributes = ReadonlyMap<string, Attribute>;
type Data = Readonly<Record<string, unknown>>;

/** An entry or component that has a file in a media field: its plain values, and what it is. */
export type RelatedEntry = { readonly __type: string; readonly id: number } & Data;

/** More entries than are looked for at once. */
const MOST_RELATED = 10_000;

/**
 * What has these files in its media fields, by the file's id, as far as the caller may see it. In the order of Strapi
 * v4: by the place among the files of the field, then as they were written.
 */
export async function findRelated(
  context: PluginContext,
  ids: readonly number[],
  caller: Caller,
): Promise<ReadonlyMap<number, readonly RelatedEntry[]>> {
  const wanted = new Set(ids);
  const uses: Use[] = [];
  for (const type of ids.length === 0 ? [] : context.registry.contentTypes.values()) {
    const populate = populateMedia(type.attributes);
    if (populate === undefined) continue;
    for (const entry of await findReferring(context, type, ids, populate)) {
      uses.push(...usesIn(entry, type.attributes, type.uid, timeOf(entry['createdAt'])));
    }
  }
  const related = new Map(ids.map((id): [number, RelatedEntry[]] => [id, []]));
  for (const { file, entry, uid } of uses.toSorted(inOrder)) {
    if (wanted.has(file) && caller.may(`${uid}.find`)) related.get(file)?.push(entry);
  }
  return related;
}

async function findReferring(
  { registry, documents, limits }: PluginContext,
  type: ContentType,
  ids: readonly number[],
  populate: Data,
): Promise<readonly Entry[]> {
  const all = { ...limits, withCount: false, defaultLimit: MOST_RELATED, maxLimit: MOST_RELATED };
  const query = parseQuery({ populate, publicationState: 'preview' }, type, 'client', all);
  const filter = { kind: 'refers', to: fileTypeOf(registry), ids } as const;
  return (await documents.find({ ...query, filter }, system, bare)).entries as readonly Entry[];
}

/** What to populate to see every media field that clients may read; undefined where there is none. */
function populateMedia(attributes: Attributes): Data | undefined {
  const populate = [...attributes.values()].flatMap((attribute): (readonly [string, unknown])[] => {
    if (!isReadable(attribute, 'client')) return [];
    const { name } = attribute;
    if (attribute.kind === 'relation' && attribute.media) return [[name, { fields: ['id'] }]];
    if (attribute.kind === 'component') {
      const inner = populateMedia(attribute.component.attributes);
      return inner === undefined ? [] : [[name, { populate: inner }]];
    }
    if (attribute.kind !== 'zone') return [];
    const on = [...attribute.components.values()].flatMap(({ uid, attributes: within }) => {
      const inner = populateMedia(within);
      return inner === undefined ? [] : [[uid, { populate: inner }] as const];
    });
    return on.length === 0 ? [] : [[name, { on: Object.fromEntries(on) }]];
  });
  return populate.length === 0 ? undefined : Object.fromEntries(populate);
}

/** A file in a media field: of what, and at which place. */
interface Use {
  readonly file: number;
  readonly place: number;
  /** Of the whole entry, in milliseconds. */
  readonly createdAt: number;
  readonly uid: string;
  readonly entry: RelatedEntry;
}

const inOrder = (a: Use, b: Use): number => a.place - b.place || a.createdAt - b.createdAt;

const timeOf = (value: unknown): number => (value instanceof Date ? value.getTime() : Date.parse(String(value)) || 0);

/** The files in an entry or component, those of its components first: Strapi v4 writes them first. */
function usesIn(data: Data, attributes: Attributes, uid: string, createdAt: number): readonly Use[] {
  const fields = [...attributes.values()];
  const inner = fields.flatMap((attribute): readonly Use[] => {
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return [];
    return [data[attribute.name]].flat().flatMap((value) => {
      if (!isObject(value)) return [];
      const component =
        attribute.kind === 'component' ? attribute.component : attribute.components.get(String(value['__component']));
      return component === undefined ? [] : usesIn(value, component.attributes, component.uid, createdAt);
    });
  });
  const plain = fields
    .filter(({ kind, name }) => kind === 'scalar' && name in data)
    .map(({ name }) => [name, data[name]]);
  const entry = { __type: uid, id: Number(data['id']), ...Object.fromEntries(plain) } as RelatedEntry;
  const own = fields.flatMap((attribute): readonly Use[] => {
    if (attribute.kind !== 'relation' || !attribute.media) return [];
    const files = [data[attribute.name]].flat().filter(isObject);
    return files.map(({ id }, place) => ({ file: Number(id), place, createdAt, uid, entry }));
  });
  return [...inner, ...own];
}
