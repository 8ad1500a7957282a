import { isObject } from '../../query/input.js';

/** Actions as Strapi v4's routes of roles write them: by type, controller and action. */
export type PermissionTree = Readonly<
  Record<string, { readonly controllers: Readonly<Record<string, Readonly<Record<string, Permission>>>> }>
>;

interface Permission {
  readonly enabled: boolean;
  readonly policy: '';
}

/** The tree of all these actions, with those enabled that are allowed. */
export function plantTree(actions: Iterable<string>, allowed: ReadonlySet<string>): PermissionTree {
  const tree: Record<string, { controllers: Record<string, Record<string, Permission>> }> = {};
  for (const id of actions) {
    const [type = '', controller = '', action = ''] = id.split('.');
    const { controllers } = (tree[type] ??= { controllers: {} });
    (controllers[controller] ??= {})[action] = { enabled: allowed.has(id), policy: '' };
  }
  return tree;
}

/** The actions that are enabled in a tree that somebody sent; whatever has another shape enables nothing. */
export function enabledIn(tree: unknown): readonly string[] {
  return partsOf(tree).flatMap(([type, { controllers }]) =>
    partsOf(controllers).flatMap(([controller, actions]) =>
      partsOf(actions).flatMap(([action, { enabled }]) =>
        enabled === true ? [`${type}.${controller}.${action}`] : [],
      ),
    ),
  );
}

type Parts = readonly (readonly [string, Readonly<Record<string, unknown>>])[];

const partsOf = (tree: unknown): Parts =>
  isObject(tree) ? Object.entries(tree).flatMap(([name, part]): Parts => (isObject(part) ? [[name, part]] : [])) : [];
