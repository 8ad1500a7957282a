import type { ShadowAction, ShadowRule } from '../../plugins/contract/graphql/parts.js';

/** What the schema has in addition to that of Strapi v4. */
export interface Additions {
  /** Whether filters can name dynamic zones. */
  readonly zoneFilters: boolean;
  /**
   * Whether fields of the project's types have arguments that Strapi v4 does not have: `by`, `dryRun` and some of
   * plugins.
   */
  readonly requestOptions: boolean;
  /** Whether the project's types have fields for groups of their entries. */
  readonly aggregation: boolean;
}

export const noAdditions: Additions = { zoneFilters: false, requestOptions: false, aggregation: false };

/** The parts of the content types in the schema. */
export interface Shadow extends Additions {
  readonly hasType: (uid: string) => boolean;
  readonly hasAction: (uid: string, action: ShadowAction) => boolean;
  readonly hasGroups: (uid: string) => boolean;
  readonly hasField: (
    uid: string,
    field: string,
    as: 'output' | 'input' | 'filters' | 'required' | 'groups',
  ) => boolean;
}

const kinds = {
  find: 'queries',
  findOne: 'queries',
  create: 'mutations',
  update: 'mutations',
  delete: 'mutations',
} as const satisfies Record<ShadowAction, string>;

/** Everything that the rules do not exclude. Types of the admin panel are not part of the API, as in Strapi v4. */
export function applyRules(rules: readonly ShadowRule[], additions = noAdditions): Shadow {
  const key = (...parts: readonly string[]): string => parts.join(' ');
  const left = new Set(
    rules.map((rule) => ('field' in rule ? key(rule.uid, rule.field, rule.without) : key(rule.uid, rule.without))),
  );
  const hasType = (uid: string): boolean => !uid.startsWith('admin::') && !left.has(key(uid, 'type'));
  const hasAction: Shadow['hasAction'] = (uid, action) =>
    hasType(uid) && ![kinds[action], action].some((without) => left.has(key(uid, without)));
  return {
    hasType,
    hasAction,
    hasGroups: (uid) => additions.aggregation && hasAction(uid, 'find') && !left.has(key(uid, 'groups')),
    ...additions,
    hasField: (uid, field, as) => !left.has(key(uid, field, as)),
  };
}
