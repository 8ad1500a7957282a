import lodash from 'lodash';
import { textOf } from '../../../query/parse/input.js';
import type { Named } from '../../strapi.js';
import { contentTypes } from '../content-types.js';
import { errors } from '../errors.js';
import type { EntryChange, Visited, Visitor } from './traverse-entity.js';

/** Whether a visitor concerns an attribute. */
type Condition = (visited: Visited) => boolean;

/** Whether a caller can list the entries of a type. */
export type MayFind = (auth: unknown, uid: string) => Promise<boolean>;

const isMorph: Condition = ({ attribute }) => contentTypes.isMorphToRelationalAttribute(attribute);

/** The conditions without parameters, by the second part of their visitors' names. */
const conditions = {
  Password: ({ attribute }) => attribute['type'] === 'password',
  Private: ({ schema, key }) => contentTypes.isPrivateAttribute(schema, key),
  DynamicZones: ({ attribute }) => contentTypes.isDynamicZoneAttribute(attribute),
  MorphToRelations: isMorph,
} as const satisfies Record<string, Condition>;

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}.`);

function checkNames(names: unknown, parameter: string): asserts names is readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return;
  throw new TypeError(`Expected array of strings for ${parameter} but got "${typeof names}"`);
}

/** Attributes that are neither listed, nor within a listed one, nor lead to one; null lists all. */
const isDisallowed =
  (allowed: unknown): Condition =>
  ({ path: { attribute: path } }) => {
    if (allowed === null) return false;
    checkNames(allowed, 'allowedFields');
    return path !== null && !allowed.some((name) => isBelow(path, name) || isBelow(name, path));
  };

/** Attributes that are listed, or within a listed one; null lists all. */
const isRestricted =
  (restricted: unknown): Condition =>
  ({ path: { attribute: path } }) => {
    if (restricted === null) return true;
    checkNames(restricted, 'restrictedFields');
    return path !== null && restricted.some((name) => isBelow(path, name));
  };

const remove =
  (condition: Condition): Visitor =>
  (visited, change) => {
    if (condition(visited)) change.remove(visited.key);
  };

const refuse =
  (condition: Condition): Visitor =>
  (visited) => {
    if (condition(visited)) throw new errors.ValidationError(`Invalid parameter ${visited.key}`);
  };

/** What happens to the related entries that the caller cannot list. */
type Restriction = (visited: Visited, rest: readonly unknown[], change: EntryChange) => void;

const dropUnlisted: Restriction = ({ key }, rest, change) =>
  rest.length === 0 ? change.remove(key) : change.set(key, rest);

const refuseUnlisted: Restriction = ({ key }) => {
  throw new errors.ValidationError(`Invalid parameter ${key}`);
};

const creators = new Set(['createdBy', 'updatedBy']);

/** @param mayFind whether the caller of `auth` can list a type */
const restrictRelations =
  (mayFind: MayFind, restrict: Restriction) =>
  (auth: unknown): Visitor =>
  async (visited, change) => {
    const { attribute, schema, key, data } = visited;
    if (attribute['type'] !== 'relation') return;
    if (!isMorph(visited)) {
      const isShown = creators.has(key) && Boolean(schema.options['populateCreatorFields']);
      if (!isShown && !(await mayFind(auth, String(attribute['target'])))) restrict(visited, [], change);
      return;
    }
    const related: unknown = data[key];
    if (!Array.isArray(related)) return;
    const listed = await Promise.all(related.map(async ({ __type }: Named) => mayFind(auth, textOf(__type))));
    const rest = related.filter((_, index) => listed[index]) as readonly unknown[];
    if (rest.length < related.length || rest.length === 0) restrict(visited, rest, change);
  };

const visitorsOf = (
  verb: string,
  make: (condition: Condition) => Visitor,
  restrict: Restriction,
  mayFind: MayFind,
): Named => ({
  ...lodash.mapKeys(lodash.mapValues(conditions, make), (_visitor, name) => verb + name),
  [`${verb}DisallowedFields`]: (allowed: unknown = null) => make(isDisallowed(allowed)),
  [`${verb}RestrictedFields`]: (restricted: unknown = null) => make(isRestricted(restricted)),
  [`${verb}RestrictedRelations`]: restrictRelations(mayFind, restrict),
});

/** `sanitize.visitors` of `@strapi/utils`, for `traverseEntity`. */
export const sanitizeVisitors = (mayFind: MayFind): Named => visitorsOf('remove', remove, dropUnlisted, mayFind);

/** `validate.visitors` of `@strapi/utils`: they refuse what the others remove. */
export const validateVisitors = (mayFind: MayFind): Named => visitorsOf('throw', refuse, refuseUnlisted, mayFind);

export const visitPasswords = { remove: remove(conditions.Password), refuse: refuse(conditions.Password) } as const;
