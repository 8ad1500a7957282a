import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  holdsComponents,
  isExclusive,
  isRecord,
  mapComponents,
  mayAsk,
  parseId,
  plainEntry,
  readState,
  type Attribute,
  type Caller,
  type ContentType,
  type Data,
  type Entry,
  type Issue,
  type PluginContext,
  type RouteRequest,
  type Rule,
  type State,
} from 'content-service/plugin';
import { version } from './definition.js';
import { NEWEST_FIRST } from './keep-version.js';
import { dataOf, findVersion, requireChangeable, shownVersionsOf, type VersionReader } from './list-versions.js';
import { isSameValue } from './same-values.js';
import { showValues, type MissingLinks, type ShownValues } from './show-values.js';

/** What a restoration asks for. */
interface Wanted {
  /** The newest version that its client has seen: what others have changed since then is not overwritten. */
  readonly newest: number;
  /** Default: all that the version has; of a working copy, what it changes. */
  readonly attributes?: readonly string[];
  /** Links to entries that are gone, or hidden from the caller, are left out. */
  readonly withoutMissing: boolean;
}

export interface Restored {
  readonly id: number;
  /** The attributes that were different. */
  readonly restored: readonly string[];
  /** What was written. */
  readonly saved: 'entry' | 'copy';
}

/**
 * Writes attributes of an entry as a version has them: into its working copy, if it is published and its type has
 * these, otherwise into the entry. Nothing is lost that the client has not seen: a conflict is named.
 * @throws AppError forbidden, notFound, validation, invalidValue, conflict, and as an update
 */
export async function restoreVersion(
  context: PluginContext,
  type: ContentType,
  id: number,
  { caller, params, body }: Pick<RouteRequest, 'caller' | 'params' | 'body'>,
): Promise<Restored> {
  const { documents } = context;
  const wanted = parseWanted(body, type);
  const reader = { caller, states: await requireChangeable(context, type, id, caller) };
  const chosen = await findVersion(context, type, id, params['version'] ?? '', reader);
  const seen = await findSeen(context, type, id, wanted.newest, reader);
  // What follows depends on the latest state, so it is for those who may save that.
  if (!mayAsk(type, 'save', caller)) throw new AppError('forbidden');
  if (!reader.states.entry || !reader.states.latest) throw new AppError('notFound');
  const show = (values: readonly Data[]): Promise<readonly ShownValues[]> => showValues(context, type, values, caller);
  const now = await readLatest(context, type, id);
  const [{ data, missing }, latest, ...shownBefore] = (await show([dataOf(chosen), now.data, ...seen.map(dataOf)])) as [
    ShownValues,
    ShownValues,
    ...ShownValues[],
  ];
  const refused = wanted.attributes?.filter((name) => !(name in data)) ?? [];
  if (refused.length > 0)
    throw new AppError(
      'validation',
      issuesOf(refused, 'is not part of the version, or must not be written', 'writable'),
    );
  const changes = (chosen['changes'] as readonly string[] | null | undefined) ?? undefined;
  const names = wanted.attributes ?? changes?.filter((name) => name in data) ?? Object.keys(data);
  const missingIn = (links: readonly MissingLinks[], name: string): readonly MissingLinks[] =>
    links.filter(({ path }) => path[0] === name);
  const lacksLinks = (name: string): boolean =>
    !wanted.withoutMissing &&
    missingIn(missing, name).length > 0 &&
    !isDeepStrictEqual(missingIn(missing, name), missingIn(latest.missing, name));
  const differs = (name: string): boolean =>
    !isSameValue(data[name], latest.data[name], type.attributes.get(name)) || lacksLinks(name);
  const restored = names.filter(differs);
  const saved = type.copies !== undefined && now.isPublished ? 'copy' : 'entry';
  if (restored.length === 0) return { id, restored, saved };
  if (!wanted.withoutMissing) refuseMissing(missing, restored);
  await refuseHeld(context, type, id, restored, data, caller);
  const written = restored.map((name) => [name, withPresentIds(data[name], now.data[name], type.attributes.get(name))]);
  const status = type.copies !== undefined ? ({ status: 'draft' } as const) : {};
  const selection = { fields: [], populate: [] };
  const request = { caller, presenter: plainEntry, selection, event: 'entry', ...status } as const;
  // The entry is locked from here to the write.
  const check = async (): Promise<void> => {
    const [found] = await show([(await readLatest(context, type, id)).data]);
    refuseChanged(type, restored, found?.data ?? {}, shownBefore);
  };
  await documents.update({ type, id }, Object.fromEntries(written), request, { check });
  return { id, restored, saved };
}

/** @throws AppError validation, naming the value */
function parseWanted(body: unknown, { attributes }: ContentType): Wanted {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!isRecord(data)) throw new AppError('missingData');
  const { newest, attributes: names, withoutMissing = false, ...others } = data;
  const number = parseId(newest);
  const issues: Issue[] = [
    ...(number === undefined
      ? [{ path: ['newest'], message: 'newest must be the id of the newest version that you have seen' }]
      : []),
    ...(typeof withoutMissing === 'boolean'
      ? []
      : [{ path: ['withoutMissing'], message: 'withoutMissing must be true or false' }]),
    ...issuesOf(Object.keys(others), 'is not known'),
  ];
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string' && attributes.has(name));
  if (names !== undefined && !isList)
    issues.push({ path: ['attributes'], message: 'attributes must be a list of names of attributes' });
  if (number === undefined || issues.length > 0) throw new AppError('validation', issues);
  return {
    newest: number,
    withoutMissing: withoutMissing === true,
    ...(isList && { attributes: names as readonly string[] }),
  };
}

const issuesOf = (names: readonly string[], reason: string, rule?: Rule): readonly Issue[] =>
  names.map((name) => ({ path: [name], message: `${name} ${reason}`, rule }));

/**
 * The newest versions, of the entry and of its copy, when the client saw one.
 * @throws AppError conflict if that is gone by now
 */
async function findSeen(
  context: PluginContext,
  type: ContentType,
  id: number,
  newest: number,
  { caller, states }: VersionReader,
): Promise<readonly Entry[]> {
  const { entries } = context;
  const own = { $and: [shownVersionsOf(context, type, id, caller, states)] };
  const named = await entries.findFirst(version.uid, { filters: { ...own, id: newest }, fields: ['at'] });
  if (named === undefined)
    throw new AppError('conflict', 'The version that you have seen is not kept any more: read the versions again', [
      { path: ['newest'], message: 'newest is not kept any more' },
    ]);
  const until = { $or: [{ at: { $lt: named['at'] } }, { at: named['at'], id: { $lte: newest } }] };
  const find = (changes: Data): Promise<Entry | undefined> =>
    entries.findFirst(version.uid, { filters: { ...own, ...until, changes }, sort: NEWEST_FIRST });
  const found = await Promise.all([find({ $null: true }), find({ $notNull: true })]);
  return found.filter((one) => one !== undefined);
}

/** What editors see of an entry now: its working copy, or the entry if there is none. @throws AppError notFound */
async function readLatest(
  context: PluginContext,
  type: ContentType,
  id: number,
): Promise<Pick<State, 'data'> & { readonly isPublished: boolean }> {
  const entry = await readState(context, type, id);
  if (entry === undefined) throw new AppError('notFound');
  const copy = await readState(context, type, id, 'copy');
  return { data: (copy ?? entry).data, isPublished: entry.published !== null };
}

/** Refuses to overwrite a value that the client cannot have seen. @throws AppError conflict, naming the attributes */
function refuseChanged(
  { attributes }: ContentType,
  names: readonly string[],
  now: Data,
  seen: readonly ShownValues[],
): void {
  const isSeen = (name: string): boolean =>
    seen.some(({ data }) => isSameValue(data[name], now[name], attributes.get(name)));
  const changed = names.filter((name) => !isSeen(name));
  if (changed.length > 0)
    throw new AppError(
      'conflict',
      `${changed.join(', ')} has been changed since the version that you have seen`,
      issuesOf(changed, 'has been changed since the version that you have seen'),
    );
}

/** @throws AppError conflict, naming the relations */
function refuseMissing(missing: readonly MissingLinks[], restored: readonly string[]): void {
  const lost = missing.filter(({ path: [name] }) => restored.includes(String(name)));
  if (lost.length === 0) return;
  const issues = lost.map(({ path, count, ids }): Issue => {
    const what =
      ids === undefined ? `${count} entries that are gone, or that you may not see` : `deleted: ${ids.join(', ')}`;
    return { path: path.map(String), message: `${path.join('.')} had links to ${what}` };
  });
  throw new AppError('conflict', 'Some links of the version lead to entries that are not there', issues);
}

/**
 * Refuses to take the target of a one-to-one relation from the entry that has it now; whether it may be taken from one
 * that is hidden from the caller is decided by the write.
 * @throws AppError conflict, naming the relations
 */
async function refuseHeld(
  { entries, documents }: PluginContext,
  type: ContentType,
  id: number,
  names: readonly string[],
  data: Data,
  caller: Caller,
): Promise<void> {
  const isHeld = await Promise.all(
    names.map(async (name) => {
      const attribute = type.attributes.get(name);
      const target = parseId(data[name]);
      if (attribute?.kind !== 'relation' || attribute.side !== 'owner' || !isExclusive(attribute)) return false;
      if (target === undefined) return false;
      const filters = { [name]: { id: target }, id: { $ne: id } };
      const holder = await entries.findFirst(type.uid, { filters, fields: ['id'] });
      return holder !== undefined && (await documents.visibleIds(type, [holder.id], caller)).length > 0;
    }),
  );
  const held = names.filter((_, index) => isHeld[index]);
  if (held.length > 0)
    throw new AppError(
      'conflict',
      `${held.join(', ')} belongs to another entry now`,
      issuesOf(held, 'belongs to another entry now: remove it there first'),
    );
}

/**
 * A value whose components keep the ids that the entry still has: so they keep what is in no version. The others are
 * made anew.
 */
function withPresentIds(value: unknown, now: unknown, attribute: Attribute | undefined): unknown {
  if (!holdsComponents(attribute) || value === null) return value;
  const present = new Map([now].flat().flatMap((one) => (isRecord(one) ? [[keyOf(one), one] as const] : [])));
  return mapComponents(value, attribute, ({ id, ...own }, component) => {
    const former = present.get(keyOf({ id, ...own }));
    const values = Object.entries(own).map(([name, inner]) => [
      name,
      withPresentIds(inner, former?.[name], component.attributes.get(name)),
    ]);
    return { ...(former !== undefined && { id }), ...(Object.fromEntries(values) as Data) };
  });
}

/** In a zone, components of different types can have the same id. */
const keyOf = ({ id, __component }: Data): string => `${String(__component)} ${String(id)}`;
