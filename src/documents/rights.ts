import type { Attribute, ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { PopulateNode, Query, Selection } from '../query/ast.js';
import { relationsOfFilter, relationsOfSort } from '../query/relations-of.js';
import type { Caller } from './caller.js';
import type { Interceptor } from './interceptors.js';

/**
 * Keeps a query within the caller's rights, as Strapi v4 does: relations to types that they may not list are left out
 * of what is populated, and refused in filters and sorts. Media and creator fields need no right of their own.
 * @throws AppError invalidParameter, naming the relation
 */
export const keepWithinRights: Interceptor = (query, { caller }) => {
  if (caller.kind === 'system') return query;
  checkUse(query, caller);
  return { ...query, populate: permitted(query.populate, caller) };
};

const isCreator = ({ uid }: ContentType): boolean => uid === 'admin::user';

/** May the caller see what this attribute leads to? */
export function mayFollow(attribute: Attribute, caller: Caller): boolean {
  if (attribute.kind !== 'relation' && attribute.kind !== 'morphed') return true;
  if (attribute.kind === 'relation' && (attribute.media || isCreator(attribute.target))) return true;
  return caller.may(`${attribute.target.uid}.find`);
}

function permitted(nodes: readonly PopulateNode[], caller: Caller): readonly PopulateNode[] {
  return nodes.flatMap((node): readonly PopulateNode[] => {
    const open = node.kind === 'relation' && node.open;
    if (!open && !mayFollow(node.attribute, caller)) return [];
    const within = <S extends Selection>(selection: S): S => ({
      ...selection,
      populate: permitted(selection.populate, caller),
    });
    switch (node.kind) {
      case 'relation':
        checkUse(node.query, caller);
        return [{ ...node, query: within(node.query) }];
      case 'component':
        checkUse(node.selection, caller);
        return [{ ...node, selection: within(node.selection) }];
      case 'zone':
        return [{ ...node, on: new Map([...node.on].map(([uid, selection]) => [uid, within(selection)])) }];
      case 'morph': {
        const on = [...node.on].filter(([type]) => caller.may(`${type.uid}.find`));
        return [{ ...node, on: new Map(on.map(([type, query]) => [type, within(query)])) }];
      }
      default:
        return node satisfies never;
    }
  });
}

/**
 * May the caller filter and sort like this?
 * @throws AppError invalidParameter, naming the first relation to a type that they may not list
 */
export function checkUse({ filter, sort }: Pick<Query, 'filter' | 'sort'>, caller: Caller): void {
  for (const attribute of [...relationsOfFilter(filter), ...relationsOfSort(sort)]) {
    if (!mayFollow(attribute, caller)) throw new AppError('invalidParameter', attribute.name);
  }
}
