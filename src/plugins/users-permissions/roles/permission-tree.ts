import { isObject } from '../../../query/parse/input.js';

/** Actions as Strapi v4's routes of roles write them: by type, controller and action. */
export type PermissionTree = Readonly<
  Record<string, { readonly controllers: Readonly<Record<string, Readonly<Record<string, Permission>>>> }>
>;

interface Permission {
  readonly enabled: boolean;
  readonly policy: '';
}

/** An object without a prototype: names that are stored or sent may be `__proto__` or `constructor`. */
const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

/** The tree of all these actions, with those enabled that are allowed. */
export function buildPermissionTree(actions: Iterable<string>, allowed: ReadonlySet<string>): PermissionTree {
  const tree = empty<{ controllers: Record<string, Record<string, Permission>> }>();
  for (const id of actions) {
    const [type = '', controller = '', ...rest] = id.split('.');
    const action = rest.join('.');
    const { controllers } = (tree[type] ??= { controllers: empty() });
    (controllers[controller] ??= empty())[action] = { enabled: allowed.has(id), policy: '' };
  }
  return tree;
}

/** An action that can be enabled, and its place in the tree. */
export interface EnabledAction {
  readonly action: string;
  readonly path: readonly string[];
}

/** The actions that are enabled in a tree that somebody sent; whatever has another shape enables nothing. */
export function enabledIn(tree: unknown): readonly EnabledAction[] {
  return partsOf(tree).flatMap(([type, { controllers }]) =>
    partsOf(controllers).flatMap(([controller, actions]) =>
      partsOf(actions).flatMap(([name, { enabled }]) =>
        enabled === true
          ? [{ action: `${type}.${controller}.${name}`, path: [type, 'controllers', controller, name] }]
          : [],
      ),
    ),
  );
}

type Subtrees = readonly (readonly [string, Readonly<Record<string, unknown>>])[];

const partsOf = (tree: unknown): Subtrees =>
  isObject(tree)
    ? Object.entries(tree).flatMap(([name, part]): Subtrees => (isObject(part) ? [[name, part]] : []))
    : [];
