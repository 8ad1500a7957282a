import {
  AppError,
  namesOfUsers,
  parseId,
  readState,
  seesCopies,
  type Caller,
  type ContentType,
  type Data,
  type Entry,
  type EntryStates,
  type PluginContext,
  type RouteRequest,
  type State,
} from 'content-service/plugin';
import { version } from './definition.js';
import { differencesIn } from './differences.js';
import { NEWEST_FIRST, versionsOf } from './keep-version.js';
import { withoutIds } from './same-values.js';
import { isShown, showValues, type ShownValues } from './show-values.js';

/**
 * The states of an entry that a caller may change, whose versions they see.
 * @throws AppError forbidden, notFound
 */
export async function requireChangeable(
  { documents }: PluginContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<EntryStates> {
  if (!caller.may(`${type.uid}.update`)) throw new AppError('forbidden');
  const states = await documents.statesOf(type, id, 'update', caller);
  if (!states.entry && !states.latest) throw new AppError('notFound');
  return states;
}

/**
 * The condition for the versions of an entry that a caller may see: of the entry, and of its working copies, as far as
 * these exist for the caller.
 */
export function shownVersionsOf(
  { documents }: PluginContext,
  type: ContentType,
  id: number,
  caller: Caller,
  { entry, latest }: EntryStates,
) {
  // Working copies are shown only with the permission for drafts, whatever `DRAFTS` says.
  const showsCopies = latest && seesCopies(type, caller);
  const state = !showsCopies ? { changes: { $null: true } } : entry ? {} : { changes: { $notNull: true } };
  return {
    ...versionsOf(type, id),
    ...(documents.hidesDrafts(type, caller) && { published: { $notNull: true } }),
    ...(type.copies !== undefined && state),
  };
}

/**
 * The versions of an entry that the caller may change, the newest first: of each what the caller may both read and
 * write, as a request writes it.
 * @throws AppError forbidden, notFound, and for `pagination`
 */
export async function listVersions(
  context: PluginContext,
  type: ContentType,
  id: number,
  { caller, query }: Pick<RouteRequest, 'caller' | 'query'>,
): Promise<readonly Data[]> {
  const states = await requireChangeable(context, type, id, caller);
  const filters = shownVersionsOf(context, type, id, caller, states);
  const pagination = query['pagination'];
  const stored = await context.entries.findMany(version.uid, { filters, sort: NEWEST_FIRST, pagination });
  const values = await showValues(context, type, stored.map(dataOf), caller);
  const heads = await headsOf(context, type, stored, caller);
  return stored.map((_, index) => ({ ...heads[index], data: plainOf(values[index], type) }));
}

export const dataOf = (stored: Entry): Data => stored['data'] as Data;

const plainOf = (values: ShownValues | undefined, { attributes }: ContentType): Data =>
  withoutIds(values?.data ?? {}, attributes);

/** What is shown of versions beside their values. */
async function headsOf(
  context: PluginContext,
  type: ContentType,
  stored: readonly Entry[],
  caller: Caller,
): Promise<readonly Data[]> {
  const names = await namesOfUsers(
    context,
    stored.map(({ writer }) => writer),
  );
  const showsState = type.draftAndPublish && isShown('publishedAt', type, caller);
  return stored.map((one) => {
    const changes = one['changes'] as readonly string[] | null | undefined;
    return {
      id: one.id,
      at: one['at'],
      by: names.get(one['writer']) ?? null,
      ...(showsState && { publishedAt: one['published'] }),
      ...(changes != null && { copy: true, changes: changes.filter((name) => isShown(name, type, caller)) }),
    };
  });
}

/** A caller, and the states of an entry that exist for them. */
export interface VersionReader {
  readonly caller: Caller;
  readonly states: EntryStates;
}

/** A version of an entry that the caller may see. @throws AppError forbidden, notFound */
export async function findVersion(
  context: PluginContext,
  type: ContentType,
  id: number,
  name: string,
  { caller, states }: VersionReader,
): Promise<Entry> {
  const own = parseId(name);
  const filters = { ...shownVersionsOf(context, type, id, caller, states), id: own };
  const found = own === undefined ? undefined : await context.entries.findFirst(version.uid, { filters });
  if (found === undefined) throw new AppError('notFound', 'There is no such version of the entry');
  return found;
}

/**
 * One version, with the links in it to entries that are gone or hidden, and with what differs from it in another
 * version, or in what the entry is now.
 * @throws AppError forbidden, notFound, invalidValue
 */
export async function readVersion(
  context: PluginContext,
  type: ContentType,
  id: number,
  { caller, query, params }: Pick<RouteRequest, 'caller' | 'query' | 'params'>,
): Promise<Data> {
  const reader = { caller, states: await requireChangeable(context, type, id, caller) };
  const own = await findVersion(context, type, id, params['version'] ?? '', reader);
  const other = query['to'] === undefined ? undefined : await findOther(context, type, id, query['to'], reader);
  const stored = other === undefined ? [own] : [own, other];
  const [values, otherValues] = await showValues(context, type, stored.map(dataOf), caller);
  const [head, otherHead] = await headsOf(context, type, stored, caller);
  const { data = {}, missing = [] } = values ?? {};
  return {
    ...head,
    data: withoutIds(data, type.attributes),
    missing,
    ...(otherValues && { to: otherHead, differences: differencesIn(data, otherValues.data, type.attributes) }),
  };
}

/** A state of now in the form of a version, which has no id. */
const asVersion = (state: State | undefined): Entry | undefined =>
  state && ({ ...state, id: null } as unknown as Entry);

async function findOther(
  context: PluginContext,
  type: ContentType,
  id: number,
  to: unknown,
  reader: VersionReader,
): Promise<Entry> {
  if (to !== 'published' && to !== 'draft') {
    if (typeof to !== 'string' || parseId(to) === undefined)
      throw new AppError('invalidValue', 'to must be the id of a version, published or draft');
    return findVersion(context, type, id, to, reader);
  }
  const { caller, states } = reader;
  const showsCopy = to === 'draft' && states.latest && seesCopies(type, caller);
  const copy = showsCopy ? asVersion(await readState(context, type, id, 'copy')) : undefined;
  const found = copy ?? (states.entry ? asVersion(await readState(context, type, id)) : undefined);
  if (found === undefined) throw new AppError('notFound');
  return found;
}
