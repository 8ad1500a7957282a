import type { Attribute, ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { PopulateNode, Query, Selection } from '../query/ast.js';
import { relationsOfFilter, relationsOfSort } from '../query/walk.js';
import type { Caller } from './caller.js';
import type { Interceptor } from './interceptors.js';

/**
 * Restricts a query to the caller's permissions, as Strapi v4 does: relations to types that they may not list are removed
 * from populate, and refused in filters and sorts. Media and creator fields need no permission.
 * @throws AppError invalidParameter, naming the relation
 */
export const keepWithinRights: Interceptor = (query, { caller }) =>
  caller.kind === 'system' ? query : permitted(query, caller);

const isCreator = ({ uid }: ContentType): boolean => uid === 'admin::user';

/** Whether the caller may see the targets of this attribute. */
export function canReadRelation(attribute: Attribute, caller: Caller): boolean {
  if (attribute.kind !== 'relation' && attribute.kind !== 'morphed') return true;
  if (attribute.kind === 'relation' && (attribute.media || isCreator(attribute.target))) return true;
  return caller.may(`${attribute.target.uid}.find`);
}

/** A selection of any kind, with its filter and sort if it has them. */
type Listed = Selection & Partial<Pick<Query, 'filter' | 'sort'>>;

/**
 * A selection restricted to the caller's permissions. Every selection of a query passes through here, and its filter and sort are
 * checked first, also if the selection itself is then removed.
 * @throws AppError invalidParameter, naming the relation
 */
function permitted<S extends Listed>(selection: S, caller: Caller): S {
  assertReadable(selection, caller);
  return { ...selection, populate: selection.populate.flatMap((node) => permittedNode(node, caller) ?? []) };
}

/** Undefined for a relation to a type that the caller may not list. */
function permittedNode(node: PopulateNode, caller: Caller): PopulateNode | undefined {
  switch (node.kind) {
    case 'relation': {
      const query = permitted(node.query, caller);
      return node.open || canReadRelation(node.attribute, caller) ? { ...node, query } : undefined;
    }
    case 'component':
      return { ...node, selection: permitted(node.selection, caller) };
    case 'zone':
      return { ...node, on: new Map([...node.on].map(([uid, selection]) => [uid, permitted(selection, caller)])) };
    case 'morph': {
      const on = [...node.on].map(([type, query]) => [type, permitted(query, caller)] as const);
      return { ...node, on: new Map(on.filter(([type]) => caller.may(`${type.uid}.find`))) };
    }
    default:
      return node satisfies never;
  }
}

/**
 * Whether the caller may filter and sort like this.
 * @throws AppError invalidParameter, naming the first relation to a type that they may not list
 */
export function assertReadable({ filter, sort = [] }: Partial<Pick<Query, 'filter' | 'sort'>>, caller: Caller): void {
  for (const attribute of [...relationsOfFilter(filter), ...relationsOfSort(sort)]) {
    if (!canReadRelation(attribute, caller)) throw new AppError('invalidParameter', attribute.name);
  }
}
