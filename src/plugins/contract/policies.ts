import type { GraphQLResolveInfo } from 'graphql';
import type { Application } from './application.js';
import type { GraphqlContext } from './graphql/parts.js';

// oxlint-disable-next-line typescript/no-explicit-any -- an owner's schema says what comes here
type Anything = any;

export type Resolver = (parent: Anything, args: Anything, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

/** What a policy may look at. */
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

/** Says whether a field may be resolved; nothing means yes. */
export type Policy = (
  policyContext: PolicyContext,
  config: Anything,
  application: { readonly strapi: Application },
) => boolean | undefined | void | Promise<boolean | undefined | void>;

/** Stands around a resolver: `next` is what comes after it. */
export type Middleware = (
  next: Resolver,
  parent: Anything,
  args: Anything,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown;

/** What an owner registers under names, for `resolversConfig`. */
export interface NamedPolicies {
  readonly policies: Readonly<Record<string, Policy>>;
  /** Each makes a middleware of the options that stand beside its name. */
  readonly middlewares: Readonly<
    Record<string, (options: Anything, application: { readonly strapi: Application }) => Middleware>
  >;
}
