import type { Component, ContentType, Registry } from '../content-types/model/types.js';
import { typeName } from '../content-types/model/type-name.js';
import { isOffered, type AnswererOf } from '../plugins/contract/answerer.js';
import type { RestGuard } from '../plugins/contract/access/policy-request.js';
import { contentTypeRoutes } from '../plugins/contract/content-type-routes.js';
import { namesOf } from '../plugins/contract/graphql/names.js';
import type { GraphqlParts, ShadowRule } from '../plugins/contract/graphql/parts.js';
import type { GraphqlProject } from '../plugins/contract/graphql/project.js';
import type { Used } from './extension/extension.js';
import { ownedFields, type OwnedFields } from './extension/owned-fields.js';
import { isOwnedAround, isWrapped, ownedPaths } from './refused-fields.js';
import type { GeneratedSchema } from './schema/generate.js';

interface Guarding {
  readonly registry: Registry;
  /** Code of the project in the schema of Strapi v4. */
  readonly used: Used;
  /** The additions of plugins to that schema. */
  readonly parts: readonly GraphqlParts[];
  readonly project: GraphqlProject | undefined;
  /** Code before or in place of actions over REST. */
  readonly restGuards: readonly RestGuard[];
  readonly answererOf: AnswererOf;
}

const { aggregate } = contentTypeRoutes;

/** Whether the service answers groups of a type: they are a shortcut, as over REST. */
export const offersGroups =
  (answererOf: AnswererOf) =>
  (type: ContentType): boolean =>
    aggregate.shortcutOf !== undefined && isOffered(answererOf, type, aggregate);

/** What groups must not have, because code of the project decides in lists whether and how clients see it. */
export function groupRules(guarding: Guarding): readonly ShadowRule[] {
  const { registry, used, answererOf, restGuards } = guarding;
  const { configs, resolved } = ownedFields(used.extensions);
  const owned = ownedPaths(guarding);
  const guarded = new Set(restGuards.map(({ action }) => action));
  const offered = offersGroups(answererOf);
  const isDecidedByCode = (type: ContentType): boolean => {
    const list = `Query.${namesOf(type).find}`;
    const { middlewares = [] } = configs.get(list) ?? {};
    // Policies are asked before groups, too.
    const isChanged = resolved.has(list) || middlewares.length > 0 || (owned.has(list) && !configs.has(list));
    return !offered(type) || guarded.has(`${type.uid}.find`) || isWrapped(used) || isChanged;
  };
  const types = [...registry.contentTypes.values()];
  return [
    ...types.filter(isDecidedByCode).map(({ uid }): ShadowRule => ({ uid, without: 'groups' })),
    ...[...types, ...registry.components.values()].flatMap((model) => valueRules(model, owned)),
  ];
}

/** Code that stands before, around or in place of a value would not see it in groups. */
function valueRules(model: ContentType | Component, owned: ReadonlySet<string>): readonly ShadowRule[] {
  const { uid, attributes } = model;
  const isAround = model.kind !== 'component' && isOwnedAround(model, owned);
  const names = [
    'id',
    ...attributes.keys(),
    ...(model.kind === 'component' ? [] : (model.documentAttributes?.keys() ?? [])),
  ];
  return [...new Set(names)].flatMap((field) =>
    isAround || owned.has(`${typeName(model)}.${field}`) ? [{ uid, field, without: 'groups' } as const] : [],
  );
}

/** Groups have the permissions and policies that the project gives to lists, before those of their own. */
export function withGroups(fields: OwnedFields, { query }: Pick<GeneratedSchema, 'query'>): OwnedFields {
  const configs = new Map(fields.configs);
  for (const [name, { operation, type }] of query) {
    const ofList = operation === 'aggregate' ? configs.get(`Query.${namesOf(type).find}`) : undefined;
    if (ofList === undefined) continue;
    const own = configs.get(`Query.${name}`);
    const policies = [...(ofList.policies ?? []), ...(own?.policies ?? [])];
    configs.set(`Query.${name}`, { ...ofList, ...own, policies });
  }
  return { ...fields, configs, isOwned: (path) => configs.has(path) || fields.resolved.has(path) };
}
