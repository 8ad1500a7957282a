import type { GraphQLResolveInfo } from 'graphql';
import type { Application } from './application.js';
import type { GraphqlContext, GraphqlResolver } from './graphql/parts.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the type is defined by a project's schema
type Anything = any;

export interface PolicyContext {
  readonly type: 'graphql';
  readonly is: (name: string) => boolean;
  readonly parent: Anything;
  readonly args: Anything;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
  readonly state: GraphqlContext['state'];
  /** The Koa context of the request; undefined without project code. */
  readonly http: GraphqlContext['koaContext'];
}

/** Returns whether a field may be resolved; undefined means yes. */
export type Policy = (
  policyContext: PolicyContext,
  config: Anything,
  application: { readonly strapi: Application },
) => boolean | undefined | void | Promise<boolean | undefined | void>;

/** Wraps a resolver: `next` continues. */
export type Middleware = (next: GraphqlResolver, ...resolved: Parameters<GraphqlResolver>) => unknown;

/** Named policies and middlewares of a project, for `resolversConfig`. */
export interface NamedPolicies {
  readonly policies: Readonly<Record<string, Policy>>;
  /** Each creates a middleware from its options. */
  readonly middlewares: Readonly<
    Record<string, (options: Anything, application: { readonly strapi: Application }) => Middleware>
  >;
}
