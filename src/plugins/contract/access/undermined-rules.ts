import type { Attribute, ContentType, Registry } from '../../../content-types/model/types.js';
import { isRecord } from '../../../config/record.js';
import { canReadRelation } from '../../../documents/rights.js';
import { isStoredInTarget, otherSideName } from '../../../mongo/stored/relation.js';
import { partsOfFilter, type AnyRelation, type Filter } from '../../../query/ast.js';
import { subjectsOf, uidOfAction, type Access, type Permissions } from './access.js';
import { USER } from './parse-permissions.js';

/**
 * Rules that a role or token could undermine by another of its permissions: what the rule depends on is a relation that
 * this permission lets it write, in entries that no rule on `update` protects. A line for each.
 */
export function underminedRules(access: Access, { contentTypes }: Registry): readonly string[] {
  return subjectsOf(access).flatMap(([subject, permissions]) =>
    dependenciesOf(permissions, contentTypes).flatMap((dependency) => {
      const permission = writerOf(dependency, permissions);
      if (permission === undefined) return [];
      const { action, path } = dependency;
      return [
        `access.json: ${subject}: the rule of ${action} depends on ${path}, which ${permission} lets the caller change; limit that permission with "where", or take the attribute out of its "fields"`,
      ];
    }),
  );
}

/** An attribute that decides which entries a rule allows. */
interface Dependency {
  /** Of the rule. */
  readonly action: string;
  /** In words, from the entry or the user. */
  readonly path: string;
  /** The type that has the attribute. */
  readonly type: ContentType;
  readonly attribute: Attribute;
  /** The entries that have it: those of the rule, the caller's own user, or others. */
  readonly of: 'entry' | 'user' | 'related';
}

function dependenciesOf(
  { rules = new Map() }: Permissions,
  contentTypes: Registry['contentTypes'],
): readonly Dependency[] {
  const user = contentTypes.get(USER);
  return [...rules].flatMap(([action, { where, declared = [] }]) => {
    const type = contentTypes.get(uidOfAction(action));
    const filter = where?.({ now: new Date(0), user: undefined });
    const found = [
      ...(type && filter ? relationsIn(filter, type, []) : []),
      ...(user ? [...variablesIn(declared)].flatMap((variable) => stepsOf(variable, user)) : []),
    ];
    const byPath = new Map(found.map((step) => [step.path, { ...step, action }]));
    return [...byPath.values()];
  });
}

type Step = Omit<Dependency, 'action'>;

function relationsIn(filter: Filter, type: ContentType, names: readonly string[]): readonly Step[] {
  const pathTo = ({ name }: Attribute): readonly string[] => [...names, name];
  const stepTo = (attribute: Attribute): Step => {
    return { path: pathTo(attribute).join('.'), type, attribute, of: names.length === 0 ? 'entry' : 'related' };
  };
  if (filter.kind === 'zone') return [];
  const [target, path] =
    filter.kind === 'related' ? [filter.attribute.target, pathTo(filter.attribute)] : [type, names];
  const within = partsOfFilter(filter).flatMap((part) => relationsIn(part, target, path));
  if (filter.kind === 'related') return [stepTo(filter.attribute), ...within];
  // A relation of a component is a part of the entry.
  return filter.kind === 'component' && within.length > 0 ? [stepTo(filter.attribute)] : within;
}

/** The variables in a declared rule that name attributes of the user. */
function variablesIn(value: unknown): ReadonlySet<string> {
  if (typeof value === 'string') return new Set(value.startsWith('$user.') ? [value] : []);
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return new Set(parts.flatMap((part) => [...variablesIn(part)]));
}

function stepsOf(variable: string, user: ContentType): readonly Step[] {
  const steps: Step[] = [];
  let type = user;
  const [root = '', ...names] = variable.split('.');
  for (const [index, name] of names.entries()) {
    const attribute = type.attributes.get(name);
    if (attribute === undefined) break;
    const path = [root, ...names.slice(0, index + 1)].join('.');
    const isOwn = index === 0;
    // A value of the user's own account is as good as a relation of it.
    if (isRelation(attribute) || (isOwn && attribute.kind === 'scalar'))
      steps.push({ path, type, attribute, of: isOwn ? 'user' : 'related' });
    if (!isRelation(attribute)) break;
    type = attribute.target;
  }
  return steps;
}

const isRelation = (attribute: Attribute): attribute is AnyRelation =>
  attribute.kind === 'relation' || attribute.kind === 'morphed';

/**
 * A permission by which the caller can change the attribute where the rule does not allow it; undefined: there is none.
 */
function writerOf({ action: ruled, type, attribute, of }: Dependency, permissions: Permissions): string | undefined {
  // To change an entry it has to be readable already.
  if (of === 'entry' && /\.find(?:One)?$/.test(ruled)) return undefined;
  const { rules = new Map() } = permissions;
  const update = `${type.uid}.update`;
  const isProtected = rules.get(update)?.where !== undefined;
  // The own account is among those that the rule of `update` allows.
  const isOpen = of === 'user' || !isProtected;
  if (!isRelation(attribute)) return isOpen ? writing(type, attribute, ['update'], permissions) : undefined;
  const { target } = attribute;
  const other = target.attributes.get(otherSideName(attribute));
  const isStoredHere = !isStoredInTarget(attribute);
  // Links that other entries store are protected by the rule of their type.
  const isOpenHere = isOpen && (isStoredHere || rules.get(`${target.uid}.update`)?.where === undefined);
  const here = isOpenHere ? writing(type, attribute, ['update'], permissions) : undefined;
  if (here !== undefined || other === undefined || (isStoredHere && !isOpen)) return here;
  return writing(target, other, ['create', 'update'], permissions);
}

/** The first of these actions by which the caller can write an attribute. */
function writing(
  { uid }: ContentType,
  attribute: Attribute,
  names: readonly ('create' | 'update')[],
  { permissions, rules = new Map() }: Permissions,
): string | undefined {
  const may = (action: string): boolean => permissions.includes(action);
  if (!attribute.writable || !canReadRelation(attribute, { kind: 'user', may })) return undefined;
  return names
    .map((name) => `${uid}.${name}`)
    .find((action) => {
      const { withheld, declared = [] } = rules.get(action) ?? {};
      const isImposed = declared.some(
        (rule: unknown) => isRecord(rule) && isRecord(rule['set']) && Object.hasOwn(rule['set'], attribute.name),
      );
      return may(action) && withheld?.has(attribute) !== true && !isImposed;
    });
}
