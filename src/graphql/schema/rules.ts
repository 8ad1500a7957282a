import type { ShadowAction, ShadowRule } from '../../plugins/contract/graphql/parts.js';

/** The parts of the content types in the schema. */
export interface Shadow {
  readonly hasType: (uid: string) => boolean;
  readonly hasAction: (uid: string, action: ShadowAction) => boolean;
  readonly hasField: (uid: string, field: string, as: 'output' | 'input' | 'filters' | 'required') => boolean;
  /** Can dynamic zones be filtered by? */
  readonly zoneFilters: boolean;
}

const kinds = {
  find: 'queries',
  findOne: 'queries',
  create: 'mutations',
  update: 'mutations',
  delete: 'mutations',
} as const satisfies Record<ShadowAction, string>;

/** Everything that the rules do not exclude. Types of the admin panel are not part of the API, as in Strapi v4. */
export function applyRules(rules: readonly ShadowRule[], zoneFilters = false): Shadow {
  const key = (...parts: readonly string[]): string => parts.join(' ');
  const left = new Set(
    rules.map((rule) => ('field' in rule ? key(rule.uid, rule.field, rule.without) : key(rule.uid, rule.without))),
  );
  const hasType = (uid: string): boolean => !uid.startsWith('admin::') && !left.has(key(uid, 'type'));
  return {
    hasType,
    hasAction: (uid, action) => hasType(uid) && ![kinds[action], action].some((without) => left.has(key(uid, without))),
    zoneFilters,
    hasField: (uid, field, as) => !left.has(key(uid, field, as)),
  };
}
