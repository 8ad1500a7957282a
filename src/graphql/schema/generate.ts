import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';
import type { ShadowRule } from '../../plugins/contract/graphql/parts.js';
import { typeName } from '../../content-types/model/type-name.js';
import { GENERIC_MORPH, namesOf } from '../../plugins/contract/graphql/names.js';
import { hasStatus } from '../../query/parse/parse-status.js';
import { baseTypes, publicationStatus } from './base-types.js';
import { StartError } from '../../errors/start-error.js';
import { enumType, unionType, objectType } from './definition.js';
import { collectEnums } from './enums.js';
import { rootFields, type RootFields, type RootField } from './root-fields.js';
import { scalarResolvers } from './scalars/scalar-resolvers.js';
import { applyRules, type Additions, type Shadow } from './rules.js';
import { componentDefinitions, contentTypeDefinitions, hasKeys } from './type-definitions.js';
import { parametersOf } from '../../query/plugin-parameters.js';
import { inBrackets, listArguments } from './arguments.js';

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
}

/**
 * Generates the schema as Strapi v4 does, without the parts that the rules exclude. Equal content types produce equal SDL.
 * @throws StartError if names in definitions clash
 */
export function generateSchema(
  registry: Registry,
  rules: readonly ShadowRule[] = [],
  additions?: Additions,
): GeneratedSchema {
  const shadow = applyRules(rules, additions);
  const visible = <T extends ContentType | Component>(types: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...types.values()].filter(({ uid }) => shadow.hasType(uid)).map((type) => [typeName(type), type]));
  const contentTypes = visible(registry.contentTypes);
  const components = visible(registry.components);
  const [query, mutation] = [rootFields('query', registry, shadow), rootFields('mutation', registry, shadow)];
  const all = [...components.values(), ...contentTypes.values()];
  const enums = collectEnums(all);
  const definitions = [
    baseTypes,
    ...(all.some(hasStatus) ? [publicationStatus] : []),
    ...[...components.values()].flatMap((component) => componentDefinitions(component, shadow)),
    ...[...contentTypes.values()].flatMap((type) => contentTypeDefinitions(type, shadow)),
    ...(all.length === 0 ? [] : [unionType(GENERIC_MORPH, [...components.keys(), ...contentTypes.keys()])]),
    rootType('Query', query, shadow),
    rootType('Mutation', mutation, shadow),
  ].join('\n\n');
  for (const [, name = ''] of definitions.matchAll(/^(?:type|input|union|enum|scalar) (\w+)/gm)) {
    if (enums.has(name)) throw new StartError(`enumName "${name}" is the name of another type of the GraphQL schema`);
  }
  const typeDefs = [definitions, ...[...enums].map(([name, values]) => enumType(name, [...values.keys()]))].join(
    '\n\n',
  );
  const resolvers = scalarResolvers(all, enums);
  return { typeDefs, resolvers, query, mutation, contentTypes, components, shadow };
}

/** Query or Mutation with its generated fields, in SDL. */
const rootType = (name: 'Query' | 'Mutation', fields: RootFields, shadow: Shadow): string =>
  objectType(
    name,
    [...fields].map(([field, root]) => `${field}${signatureOf(root, shadow)}`),
  );

/** Arguments and type. */
function signatureOf({ operation, type }: RootField, shadow: Shadow): string {
  const { response, collection, input, keyInput } = namesOf(type);
  const hasOptions = shadow.requestOptions && type.uid.startsWith('api::');
  const added = parametersOf(type).filter(({ graphql }) => hasOptions || graphql.isAddition !== true);
  const argumentsOf = (parameters: typeof added): readonly string[] =>
    parameters.map(({ name, graphql }) => `${name}: ${graphql.type}`);
  const further = argumentsOf(added);
  const scope = argumentsOf(added.filter(({ part }) => part === 'scope'));
  const dryRun = hasOptions ? ['dryRun: Boolean'] : [];
  const status = hasStatus(type) ? ['status: PublicationStatus'] : [];
  const write = (...list: readonly string[]): string =>
    `${inBrackets([...list, ...status, ...scope, ...dryRun])}: ${response}`;
  switch (operation) {
    case 'find':
      return `${listArguments(type, further)}: ${collection}`;
    case 'findSingle':
      return `${listArguments(type, further)}: ${response}`;
    case 'findOne':
      return `${inBrackets(['id: ID', ...(hasOptions && hasKeys(type, shadow) ? [`by: ${keyInput}`] : []), ...status, ...further])}: ${response}`;
    case 'create':
    case 'updateSingle':
      return write(`data: ${input}!`);
    case 'update':
      return write('id: ID!', `data: ${input}!`);
    case 'delete':
      return write('id: ID!');
    case 'deleteSingle':
      return write();
    default:
      return operation satisfies never;
  }
}
