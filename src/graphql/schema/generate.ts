import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';
import type { SchemaForm } from '../../plugins/contract/graphql/form.js';
import type { ShadowRule } from '../../plugins/contract/graphql/parts.js';
import { isOfService } from '../../content-types/model/system-attributes.js';
import { typeName } from '../../content-types/model/type-name.js';
import { GENERIC_MORPH } from '../../plugins/contract/graphql/names.js';
import { baseTypes } from './base-types.js';
import { StartError } from '../../errors/start-error.js';
import { enumType, unionType, objectType } from './definition.js';
import { collectEnums } from './enums.js';
import { groupDefinitions, keyEnums } from './group-types.js';
import { rootFields, type RootFields } from './root-fields.js';
import { scalarResolvers } from './scalars/scalar-resolvers.js';
import { applyRules, type Additions, type Shadow } from './rules.js';
import { componentDefinitions, contentTypeDefinitions } from './type-definitions.js';
import { v4Form } from './v4-form.js';

/** The GraphQL schema of the content types, and the meaning of its names. */
export interface GeneratedSchema {
  readonly typeDefs: string;
  /** The resolvers of its scalars and enums; fields and unions are resolved by the execution. */
  readonly resolvers: IResolvers;
  readonly query: RootFields;
  readonly mutation: RootFields;
  /** By the name of the type of their values, e.g. `Article`. */
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  /** By the name of their type, e.g. `ComponentSharedSeo`. */
  readonly components: ReadonlyMap<string, Component>;
  /** The parts of the content types that the schema contains. */
  readonly shadow: Shadow;
  readonly form: SchemaForm;
}

/**
 * Generates the schema, by default as Strapi v4 does, without the parts that the rules exclude. Equal content types
 * produce equal SDL.
 * @throws StartError if names in definitions clash
 */
export function generateSchema(
  linked: Registry,
  rules: readonly ShadowRule[] = [],
  additions?: Additions,
  createForm: (shadow: Shadow) => SchemaForm = v4Form,
): GeneratedSchema {
  const shadow = applyRules([...rulesOfService(linked), ...rules], additions);
  const form = createForm(shadow);
  const registry = withTypes(linked, form.contentTypes);
  const visible = <T extends ContentType | Component>(types: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...types.values()].filter(({ uid }) => shadow.hasType(uid)).map((type) => [typeName(type), type]));
  const contentTypes = visible(registry.contentTypes);
  const components = visible(registry.components);
  const [query, mutation] = [
    rootFields('query', registry, shadow, form),
    rootFields('mutation', registry, shadow, form),
  ];
  const all = [...components.values(), ...contentTypes.values()];
  const enums = collectEnums(all);
  const ofForm = { ...form.enums(all), ...(shadow.aggregation && keyEnums) };
  const definitions = [
    baseTypes,
    ...Object.entries(ofForm).map(([name, values]) => enumType(name, Object.keys(values))),
    ...[...components.values()].flatMap((component) => componentDefinitions(component, shadow, form)),
    ...[...contentTypes.values()].flatMap((type) => contentTypeDefinitions(type, shadow, form)),
    ...groupDefinitions(all, shadow, form.groups),
    ...(all.length === 0 ? [] : [unionType(GENERIC_MORPH, [...components.keys(), ...contentTypes.keys()])]),
    rootType('Query', query),
    rootType('Mutation', mutation),
  ].join('\n\n');
  for (const [, name = ''] of definitions.matchAll(/^(?:type|input|union|enum|scalar) (\w+)/gm)) {
    if (enums.has(name)) throw new StartError(`enumName "${name}" is the name of another type of the GraphQL schema`);
  }
  const typeDefs = [definitions, ...[...enums].map(([name, values]) => enumType(name, [...values.keys()]))].join(
    '\n\n',
  );
  const resolvers = { ...scalarResolvers(all, enums), ...ofForm };
  return { typeDefs, resolvers, query, mutation, contentTypes, components, shadow, form };
}

/** The schema is that of Strapi v4: it has no attributes that only the service has. */
const rulesOfService = ({ contentTypes }: Registry): readonly ShadowRule[] =>
  [...contentTypes.values()].flatMap(({ uid, attributes }) =>
    [...attributes.values()]
      .filter(isOfService)
      .flatMap(({ name: field }) =>
        (['output', 'input', 'filters', 'groups'] as const).map((without) => ({ uid, field, without })),
      ),
  );

const withTypes = (registry: Registry, further: readonly ContentType[] = []): Registry => ({
  ...registry,
  contentTypes: new Map([...registry.contentTypes, ...further.map((type) => [type.uid, type] as const)]),
});

/** Query or Mutation with its generated fields, in SDL. */
const rootType = (name: 'Query' | 'Mutation', fields: RootFields): string =>
  objectType(
    name,
    [...fields].map(([field, { signature }]) => `${field}${signature}`),
  );
