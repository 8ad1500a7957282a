import type { Attribute, ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import {
  mapFilter,
  mapNode,
  partsOfFilter,
  pathsOf,
  type Aggregate,
  type AnyRelation,
  type AnySelection,
  type Field,
  type Filter,
  type PopulateNode,
  type ValuePath,
  type Selection,
  both,
} from '../query/ast.js';
import type { Caller } from './caller.js';
import type { Action, Interceptor } from './interceptors.js';
import { hideBehind, onlyThose, type Visible } from '../query/narrow.js';
import { hidesDrafts } from './hide-drafts.js';

/** Attributes of a content type that a caller may not read, as if they were private; undefined: none. */
type Withheld = ReadonlySet<Attribute> | undefined;

/**
 * Restricts a query to the caller's permissions as Strapi v4 does (corpus: 12-deep-filters/15-permissions,
 * 71-content-api-permissions/02-relations): relations to types that they may not list are removed from populate, and
 * refused in filters and sorts. Media and creator fields need no permission. Attributes that a rule withholds are
 * treated as if they were private.
 * @throws AppError invalidParameter, naming the attribute
 */
export const keepWithinRights: Interceptor = (query, { caller, action }) =>
  caller.kind === 'system' ? query : permitted(query, caller, withheldFrom(query.type, caller, action));

const isCreator = ({ uid }: ContentType): boolean => uid === 'admin::user';

/** Whether the caller may see the targets of this attribute. */
export function canReadRelation(attribute: Attribute, caller: Caller): boolean {
  if (attribute.kind !== 'relation' && attribute.kind !== 'morphed') return true;
  if (attribute.kind === 'relation' && (attribute.media || isCreator(attribute.target))) return true;
  return caller.may(`${attribute.target.uid}.find`);
}

/**
 * The action with the rule for a read: one entry by its id or a key is shown as by `findOne`, also in responses to
 * writes. A caller who may not read single entries sees what they may list.
 */
export function readAction({ uid }: ContentType, action: Action, caller: Caller): string {
  return action !== 'find' && action !== 'findSingle' && caller.may(`${uid}.findOne`)
    ? `${uid}.findOne`
    : `${uid}.find`;
}

/** The attributes of a type that the caller may not read, by an action or (default) through relations. */
export const withheldFrom = (type: ContentType, caller: Caller, action: Action = 'find'): Withheld =>
  caller.withheld?.(readAction(type, action, caller));

/**
 * The part of a selection that the caller may see, of an entry that they did not read themselves.
 * @throws AppError invalidParameter
 */
export const permittedSelection = (
  selection: Selection,
  type: ContentType,
  caller: Caller,
  action: Action,
): Selection =>
  caller.withheld === undefined ? selection : permitted(selection, caller, withheldFrom(type, caller, action));

/**
 * A selection restricted to the caller's permissions. Every selection of a query passes through here, and its filter
 * and sort are checked first, also if the selection itself is then removed.
 * @throws AppError invalidParameter, naming the attribute
 */
function permitted<S extends AnySelection>(selection: S, caller: Caller, withheld: Withheld): S {
  assertReadable(selection, caller, withheld);
  const populate = selection.populate.flatMap((node) =>
    withheld?.has(node.attribute) === true ? [] : (permittedNode(node, caller) ?? []),
  );
  if (caller.withheld === undefined) return { ...selection, populate };
  const { filter } = selection;
  return {
    ...keepFields(selection, withheld),
    ...(filter && { filter: readableFilter(filter, withheld, caller) }),
    populate,
  };
}

/** A selection without the attributes. @throws AppError invalidParameter for one that the request names */
export function keepFields<S extends Selection>(selection: S, withheld: Withheld): S {
  for (const field of selection.requestedFields ?? []) refuse(field, withheld);
  return { ...selection, fields: selection.fields.filter((field) => !isWithheld(field, withheld)) };
}

/** Undefined for a relation to a type that the caller may not list. */
function permittedNode(node: PopulateNode, caller: Caller): PopulateNode | undefined {
  const own = mapNode(
    node,
    (query, type) => permitted(query, caller, withheldFrom(type, caller)),
    (selection) => permitted(selection, caller, undefined),
  );
  if (own.kind === 'morph') {
    const on = [...own.on].filter(([type]) => caller.may(`${type.uid}.find`));
    return { ...own, on: new Map(on) };
  }
  const isHidden = node.kind === 'relation' && !node.needsNoPermission && !canReadRelation(node.attribute, caller);
  return isHidden ? undefined : own;
}

/**
 * Whether the caller may filter, sort and group like this.
 * @param withheld from the entries that are filtered and sorted; undefined for components
 * @throws AppError invalidParameter, naming the first relation to a type that they may not list, or the first attribute
 * that is withheld
 */
export function assertReadable(
  {
    filter,
    sort = [],
    aggregate,
  }: {
    readonly filter?: Filter | undefined;
    readonly sort?: readonly ValuePath[];
    readonly aggregate?: Aggregate | undefined;
  },
  caller: Caller,
  withheld: Withheld,
): void {
  const paths = aggregate === undefined ? sort : [...sort, ...pathsOf(aggregate)];
  for (const attribute of [...relationsOfFilter(filter), ...relationsOn(paths)]) {
    if (!canReadRelation(attribute, caller)) throw new AppError('invalidParameter', attribute.name);
  }
  if (caller.withheld === undefined) return;
  if (filter !== undefined) readableFilter(filter, withheld, caller);
  for (const { through, field } of paths) {
    let level = withheld;
    for (const step of through) {
      refuse(step, level);
      level = step.kind === 'relation' ? withheldFrom(step.target, caller) : undefined;
    }
    refuse(field, level);
  }
}

/** A filter with a search that skips what is withheld. @throws AppError invalidParameter for conditions on it */
function readableFilter(filter: Filter, withheld: Withheld, caller: Caller): Filter {
  const within = (below: Withheld): Filter => mapFilter(filter, (part) => readableFilter(part, below, caller));
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'not':
    case 'except':
      return within(withheld);
    case 'component':
    case 'zone':
      refuse(filter.attribute, withheld);
      return within(undefined);
    case 'related':
      refuse(filter.attribute, withheld);
      return within(withheldFrom(filter.attribute.target, caller));
    case 'comparison':
      refuse(filter.field, withheld);
      return filter;
    case 'search': {
      const fields = filter.fields.filter((field) => !isWithheld(field, withheld));
      return { ...filter, fields };
    }
    case 'live':
    case 'copied':
    case 'refers':
    case 'fallback':
    case 'never':
      return filter;
    default:
      return filter satisfies never;
  }
}

function refuse(field: Attribute | Field, withheld: Withheld): void {
  if (isWithheld(field, withheld)) throw new AppError('invalidParameter', field.name);
}

/** An attribute is withheld by all of its names. */
const isWithheld = (field: Attribute | Field, withheld: Withheld): boolean =>
  field.kind !== 'id' && withheld?.has(field.kind === 'scalar' ? (field.alias?.of ?? field) : field) === true;

/** The relations that a filter goes through, in its order. */
export function relationsOfFilter(filter: Filter | undefined): readonly AnyRelation[] {
  if (filter === undefined) return [];
  if (filter.kind === 'fallback') return relationsOfFilter(filter.visible);
  const within = partsOfFilter(filter).flatMap(relationsOfFilter);
  return filter.kind === 'related' ? [filter.attribute, ...within, ...relationsOfFilter(filter.only)] : within;
}

/** The relations on these paths, in their order. */
const relationsOn = (paths: readonly ValuePath[]): readonly AnyRelation[] =>
  paths.flatMap(({ through, only }) => [
    ...through.flatMap((step) => (step.kind === 'relation' ? [step] : [])),
    ...[...(only?.values() ?? [])].flatMap(relationsOfFilter),
  ]);

/**
 * Hides the entries that the caller may not read, at every depth: in lists, counts and populated relations, and behind
 * relations in filters and sorts. The caller gets the same response as if these entries did not exist. Hidden are
 * entries that do not match the rules of the caller, and, where drafts are restricted, the drafts that the caller may
 * not see.
 */
export const hideEntries =
  (restrictDrafts: boolean): Interceptor =>
  (query, { action, caller, previewed = false }) => {
    const visible = visibleTo(caller, restrictDrafts);
    if (visible === undefined) return query;
    const { type } = query;
    const narrowed = hideBehind(query, visible);
    const only = limitOf(type, action, caller, restrictDrafts && !previewed);
    return { ...narrowed, filter: onlyThose(narrowed.filter, only) };
  };

/** Which entries of a type a caller can find or write by an action; undefined: all. */
export function limitOf(
  type: ContentType,
  action: Action,
  caller: Caller,
  restrictDrafts: boolean,
): Filter | undefined {
  // The creator of an entry gets it in the response.
  if (action === 'create') return undefined;
  const live: Filter | undefined = restrictDrafts && hidesDrafts(type, caller) ? { kind: 'live' } : undefined;
  const actions = [
    readAction(type, action, caller),
    ...(writeActions[action] ?? []).map((name) => `${type.uid}.${name}`),
  ];
  return actions.map((name) => caller.where?.(name)).reduce(both, live);
}

/** The actions that allow a write. Those of users are named as in Strapi v4. */
const writeActions: Partial<Record<Action, readonly string[]>> = { update: ['update'], delete: ['delete', 'destroy'] };

/**
 * Which entries of a type the caller may read where it is not read by an id: in lists and through relations. Undefined
 * for callers from whom nothing is hidden.
 */
export function visibleTo(caller: Caller, restrictDrafts: boolean): Visible | undefined {
  if (caller.kind === 'system' || (!restrictDrafts && caller.where === undefined)) return undefined;
  return (type) =>
    both(
      restrictDrafts && hidesDrafts(type, caller) ? { kind: 'live' } : undefined,
      caller.where?.(`${type.uid}.find`),
    );
}
