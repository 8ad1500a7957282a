import {
  canReadRelation,
  componentsIn,
  dropUnreadableTargets,
  dropWithheld,
  holdsComponents,
  isComponentList,
  isReadable,
  isRecord,
  system,
  withheldFrom,
  type Attribute,
  type Attributes,
  type Caller,
  type ContentType,
  type Data,
  type PluginContext,
} from 'content-service/plugin';

/** Links of a version that are not shown: to entries that are deleted, or that do not exist for the caller. */
export interface MissingLinks {
  /** Where they are in the values of the version. */
  readonly path: readonly (string | number)[];
  readonly count: number;
  /** Those of them that are deleted, with their type; only for callers from whom no entry of the type is hidden. */
  readonly type?: string;
  readonly ids?: readonly number[];
}

/** The values of a version as a caller sees them, with the ids of components. */
export interface ShownValues {
  readonly data: Data;
  readonly missing: readonly MissingLinks[];
}

/** Whether rules let the caller read the attribute in the response to a write. */
export function isShown(name: string, type: ContentType, caller: Caller): boolean {
  const attribute = type.attributes.get(name);
  return attribute !== undefined && withheldFrom(type, caller, 'update')?.has(attribute) !== true;
}

/**
 * Written values as far as the caller may read and write them, without links to entries that do not exist for the
 * caller.
 */
export async function showValues(
  context: PluginContext,
  type: ContentType,
  stored: readonly Data[],
  caller: Caller,
): Promise<readonly ShownValues[]> {
  const permitted = stored.map((values) => {
    const written = dropWithheld(values, type, 'update', { ...caller, dropsWithheld: true }) as Data;
    const readable = new Set(Object.keys(dropUnreadableTargets(written, type, caller)));
    const own = Object.entries(written).filter(([name]) => readable.has(name) && isShown(name, type, caller));
    return Object.fromEntries(own);
  });
  const linked = new Map<string, Set<number>>();
  const note: Links['isThere'] = (uid, id) => {
    linked.set(uid, (linked.get(uid) ?? new Set<number>()).add(id));
    return true;
  };
  for (const values of permitted)
    valuesIn(values, type.attributes, { caller, isThere: note, path: [], miss: () => undefined });
  const found = await findLinked(context, linked, caller);
  return permitted.map((values) => {
    const missing: MissingLinks[] = [];
    const isThere: Links['isThere'] = (uid, id) => found.get(uid)?.visible.has(id) === true;
    const miss: Links['miss'] = (path, links) => missing.push(...missingOf(path, links, found));
    return { data: valuesIn(values, type.attributes, { caller, isThere, path: [], miss }), missing };
  });
}

interface Found {
  readonly visible: ReadonlySet<number>;
  /** Undefined for callers who do not see all entries of the type. */
  readonly existing?: ReadonlySet<number>;
}

async function findLinked(
  { documents, registry: { contentTypes } }: PluginContext,
  linked: ReadonlyMap<string, ReadonlySet<number>>,
  caller: Caller,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const [uid, ids] of linked) {
    const type = contentTypes.get(uid);
    if (type === undefined) continue;
    const visible = new Set(await documents.visibleIds(type, [...ids], caller));
    const seesAll =
      caller.may(`${uid}.find`) && caller.where?.(`${uid}.find`) === undefined && !documents.hidesDrafts(type, caller);
    const existing =
      seesAll && visible.size < ids.size ? await documents.visibleIds(type, [...ids], system) : undefined;
    found.set(uid, { visible, ...(existing && { existing: new Set(existing) }) });
  }
  return found;
}

type Link = readonly [uid: string, id: number];

/** One element per type whose deleted entries are named, and one for all others. */
function missingOf(
  path: MissingLinks['path'],
  links: readonly Link[],
  found: ReadonlyMap<string, Found>,
): readonly MissingLinks[] {
  const named = new Map<string, number[]>();
  let unnamed = 0;
  for (const [uid, id] of links) {
    if (found.get(uid)?.existing?.has(id) === false) named.set(uid, [...(named.get(uid) ?? []), id]);
    else unnamed += 1;
  }
  const deleted = [...named].map(([type, ids]) => ({ path, count: ids.length, type, ids }));
  return unnamed === 0 ? deleted : [...deleted, { path, count: unnamed }];
}

interface Links {
  readonly caller: Caller;
  readonly path: MissingLinks['path'];
  /** Whether a link to an entry is shown. */
  readonly isThere: (uid: string, id: number) => boolean;
  readonly miss: (path: MissingLinks['path'], links: readonly Link[]) => void;
}

/** Written values as the definition has them now: an attribute may be gone or private since they were stored. */
const valuesIn = (values: Data, attributes: Attributes, links: Links): Data =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const attribute = attributes.get(name);
      if (attribute?.writable !== true || !isReadable(attribute, 'client')) return [];
      const own = { ...links, path: [...links.path, name] };
      const shown = valueOf(value, attribute, own);
      return shown === undefined ? [] : [[name, shown] as const];
    }),
  );

/** Undefined for links to a type that the caller may not list. */
function valueOf(value: unknown, attribute: Attribute, links: Links): unknown {
  if (attribute.kind === 'scalar') return value;
  if (holdsComponents(attribute)) {
    const isList = isComponentList(attribute);
    const parts = componentsIn(value, attribute).flatMap(({ data, component }, index) => {
      if (component === undefined) return [];
      const { __component, id } = data;
      const own = valuesIn(data, component.attributes, isList ? { ...links, path: [...links.path, index] } : links);
      return [{ ...(id !== undefined && { id }), ...(__component !== undefined && { __component }), ...own }];
    });
    return isList ? parts : (parts[0] ?? null);
  }
  const linkOf = (one: unknown): Link =>
    isRecord(one)
      ? [String(one['__type']), Number(one['id'])]
      : [attribute.kind === 'morph' ? '' : attribute.target.uid, Number(one)];
  const all: readonly unknown[] = [value ?? []].flat();
  const isReached = canReadRelation(attribute, links.caller);
  const isShownLink = ([uid, id]: Link): boolean =>
    (attribute.kind !== 'morph' || links.caller.may(`${uid}.find`)) && links.isThere(uid, id);
  const kept = isReached ? all.filter((one) => isShownLink(linkOf(one))) : [];
  if (kept.length < all.length) links.miss(links.path, all.filter((one) => !kept.includes(one)).map(linkOf));
  if (!isReached) return undefined;
  return Array.isArray(value) ? kept : (kept[0] ?? null);
}
