import {
  AppError,
  isOwnType,
  requireId,
  seesCopies,
  type Caller,
  type ContentType,
  type Data,
  type PluginContext,
  type RouteRequest,
} from 'content-service/plugin';

/**
 * The names of the private values of a content type that the caller sees beside an entry, as in the panel of Strapi:
 * those that they may replace, without those that a rule of theirs withholds. No answer of the content API has them.
 */
export function privateValuesOf(type: ContentType, caller: Caller): readonly string[] {
  const actions = [type.kind === 'singleType' ? 'find' : 'findOne', 'update'].map((name) => `${type.uid}.${name}`);
  if (!isOwnType(type) || caller.user === undefined || !actions.every((action) => caller.may(action))) return [];
  return [...type.attributes.values()]
    .filter(
      (attribute) =>
        attribute.kind === 'scalar' &&
        attribute.private &&
        attribute.writable &&
        attribute.isHidden !== true &&
        attribute.type !== 'password' &&
        actions.every((action) => caller.withheld?.(action)?.has(attribute) !== true),
    )
    .map(({ name }) => name);
}

/**
 * The private values of an entry, for those who may read and change it; with `status=draft` as they are prepared.
 * @throws AppError unauthorized, notFound
 */
export async function readPrivateValues(
  { registry, documents, entries }: PluginContext,
  { caller, params: { uid = '', id: text = '' }, query }: Pick<RouteRequest, 'caller' | 'params' | 'query'>,
): Promise<Data> {
  if (caller.user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  const type = registry.contentTypes.get(uid);
  if (type === undefined) throw new AppError('notFound');
  const id = requireId(text);
  const names = privateValuesOf(type, caller);
  if (names.length === 0) return {};
  const isPrepared = query['status'] === 'draft' && seesCopies(type, caller);
  const state = isPrepared ? { status: 'draft' } : {};
  await entries.as(caller).findOne(uid, id, { fields: ['id'], ...state });
  const { entry, latest } = await documents.statesOf(type, id, 'update', caller);
  if (!(isPrepared ? latest : entry)) throw new AppError('notFound');
  const stored = await entries.findOne(uid, id, { fields: names, ...state });
  return Object.fromEntries(names.map((name) => [name, stored[name] ?? null]));
}
