import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, Attributes, ContentType } from '../../content-types/model/types.js';
import { componentsIn, holdsComponents, isComponentList } from '../../content-types/model/walk.js';
import type { Caller } from '../../documents/caller.js';
import { dropUnreadableTargets, dropWithheld } from '../../documents/input/permitted-data.js';
import { withheldFrom } from '../../documents/rights.js';
import { isReadable } from '../../query/visibility.js';
import { namesOfUsers } from '../contract/names-of-users.js';
import type { PluginContext, RouteRequest } from '../contract/plugin.js';
import { version } from './definition.js';
import { NEWEST_FIRST, versionsOf } from './keep-version.js';

/**
 * The versions of an entry that the caller may change, the newest first: of each what the caller may both read and write, as a request writes it.
 * @throws AppError forbidden, notFound, and for `pagination`
 */
export async function listVersions(
  context: PluginContext,
  type: ContentType,
  id: number,
  { caller, query }: Pick<RouteRequest, 'caller' | 'query'>,
): Promise<readonly Data[]> {
  const { documents, entries } = context;
  await documents.writersOf(type, id, caller);
  const live = documents.hidesDrafts(type, caller) ? { published: { $notNull: true } } : {};
  const filters = { ...versionsOf(type, id), ...live };
  const pagination = query['pagination'];
  const stored = await entries.findMany(version.uid, { filters, sort: NEWEST_FIRST, pagination });
  const writers = stored.map(({ writer }) => writer);
  const names = await namesOfUsers(context, writers);
  const values = stored.map(({ data }) => data as Data);
  const shown = await showAll(context, type, values, caller);
  const showsState = type.draftAndPublish && isShown('publishedAt', type, caller);
  return stored.map((one, index) => ({
    id: one.id,
    at: one['at'],
    by: names.get(writers[index]) ?? null,
    ...(showsState && { publishedAt: one['published'] }),
    data: shown[index],
  }));
}

/** Whether rules let the caller read the attribute in the response to a write. */
function isShown(name: string, type: ContentType, caller: Caller): boolean {
  const attribute = type.attributes.get(name);
  return attribute !== undefined && withheldFrom(type, caller, 'update')?.has(attribute) !== true;
}

/** Written values as far as the caller may read and write them, without links to entries that do not exist for the caller. */
async function showAll(
  { documents, registry: { contentTypes } }: PluginContext,
  type: ContentType,
  stored: readonly Data[],
  caller: Caller,
): Promise<readonly Data[]> {
  const permitted = stored.map((values) => {
    const written = dropWithheld(values, type, 'update', { ...caller, dropsWithheld: true });
    const own = Object.entries(dropUnreadableTargets(written, type, caller));
    return Object.fromEntries(own.filter(([name]) => isShown(name, type, caller)));
  });
  const linked = new Map<string, Set<number>>();
  const note: HasLink = (uid, id) => {
    linked.set(uid, (linked.get(uid) ?? new Set<number>()).add(id));
    return true;
  };
  for (const values of permitted) showValues(values, type.attributes, note);
  const visible = new Map<string, ReadonlySet<number>>();
  for (const [uid, ids] of linked) {
    const target = contentTypes.get(uid);
    if (target !== undefined) visible.set(uid, new Set(await documents.visibleIds(target, [...ids], caller)));
  }
  return permitted.map((values) =>
    showValues(values, type.attributes, (uid, id) => visible.get(uid)?.has(id) === true),
  );
}

/** Whether a link to an entry is shown. */
type HasLink = (uid: string, id: number) => boolean;

/** Written values as the definition has them now: an attribute may be gone or private since they were stored. */
const showValues = (values: Data, attributes: Attributes, hasLink: HasLink): Data =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const attribute = attributes.get(name);
      return attribute?.writable === true && isReadable(attribute, 'client')
        ? [[name, showValue(value, attribute, hasLink)] as const]
        : [];
    }),
  );

function showValue(value: unknown, attribute: Attribute, hasLink: HasLink): unknown {
  if (attribute.kind === 'scalar') return value;
  if (holdsComponents(attribute)) {
    const parts = componentsIn(value, attribute).flatMap(({ data, component }) => {
      if (component === undefined) return [];
      const { __component } = data;
      const own = showValues(data, component.attributes, hasLink);
      return [{ ...(__component !== undefined && { __component }), ...own }];
    });
    return isComponentList(attribute) ? parts : (parts[0] ?? null);
  }
  const isKept = (link: unknown): boolean =>
    isRecord(link)
      ? hasLink(String(link['__type']), Number(link['id']))
      : attribute.kind !== 'morph' && hasLink(attribute.target.uid, Number(link));
  if (Array.isArray(value)) return value.filter(isKept);
  return value !== null && isKept(value) ? value : null;
}
