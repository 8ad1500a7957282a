import lodash from 'lodash';
import type { GraphQLScalarType, GraphQLSchema } from 'graphql';
import type * as Nexus from 'nexus';
import { lazyBundled } from '../../config/lazy-require.js';
import type { Application } from '../../plugins/contract/application.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import type { Middleware, Policy } from '../../plugins/contract/policies.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { createShadowCrud, type ShadowedType } from './shadow-crud.js';

/** The project's additions to the GraphQL API: Strapi v4's `use()`. */
export interface GraphqlExtension {
  /** nexus, which is passed to an extension that is a function. */
  readonly types?: readonly unknown[];
  readonly plugins?: readonly ReturnType<typeof Nexus.plugin>[];
  /** In the schema definition language; definitions of one type are merged. */
  readonly typeDefs?: string;
  readonly resolvers?: ExtensionResolvers;
  /** By type and field, e.g. `Query.articles`, `Article.title`. */
  readonly resolversConfig?: ResolversConfig;
}

/** By `Type.field`, or by type and then field. */
export type ResolversConfig = Readonly<Record<string, ResolverConfig | Readonly<Record<string, ResolverConfig>>>>;

/** By type and field; scalars by name. */
export type ExtensionResolvers = Readonly<
  Record<string, GraphQLScalarType | Readonly<Record<string, GraphqlResolver | { readonly resolve: GraphqlResolver }>>>
>;

export interface ResolverConfig {
  /**
   * `false`: public; `scope`: the required actions. Without it, fields of Query and Mutation require authentication.
   */
  readonly auth?: false | { readonly scope?: string | readonly string[] };
  readonly policies?: readonly (Policy | string | { readonly name: string; readonly config?: unknown })[];
  readonly middlewares?: readonly (Middleware | string | { readonly name: string; readonly options?: unknown })[];
}

/** The argument of functions passed to `use`. */
export interface ExtensionTools {
  readonly nexus: typeof Nexus;
  readonly strapi: Application;
  /** Another name of `strapi`. */
  readonly app: Application;
  /** Its members throw: the types of Strapi's generator are not those of the service. */
  readonly typeRegistry: object;
}

/** Strapi v4's `strapi.plugin('graphql').service('extension')`. Used in `register`, before the schema is built. */
export interface ExtensionService {
  shadowCRUD(uid: string): ShadowedType;
  use(extension: GraphqlExtension | ((tools: ExtensionTools) => GraphqlExtension)): ExtensionService;
}

/** Loads nexus on first use. */
export const nexus = lazyBundled<typeof Nexus>('nexus');

export interface Used {
  readonly extensions: readonly GraphqlExtension[];
  readonly addTypes: (schema: GraphQLSchema) => GraphQLSchema;
}

/** The collected additions, from which the schema is built. */
export function createExtension() {
  const shadow = createShadowCrud();
  const used: Parameters<ExtensionService['use']>[0][] = [];
  const service: ExtensionService = {
    shadowCRUD: shadow.typeOf,
    use: (extension) => {
      used.push(extension);
      return service;
    },
  };
  return {
    service,
    shadow,
    /** Whether there is any addition. */
    isUsed: (): boolean => used.length > 0 || shadow.isUsed(),
    use: lodash.once(async (strapi: Application): Promise<Used> => {
      if (used.length === 0) return { extensions: [], addTypes: (schema) => schema };
      const { addNexusTypes } = await import('./add-nexus-types.js');
      const tools: ExtensionTools = {
        get nexus() {
          return nexus();
        },
        strapi,
        app: strapi,
        typeRegistry: strictProxy('typeRegistry', {}),
      };
      const extensions = used.map((extension) => (typeof extension === 'function' ? extension(tools) : extension));
      const types = extensions.flatMap((extension) => extension.types ?? []);
      const plugins = extensions.flatMap((extension) => extension.plugins ?? []);
      return { extensions, addTypes: (schema) => addNexusTypes(schema, nexus, { types, plugins }) };
    }),
  };
}

export type Extended = ReturnType<typeof createExtension>;
