import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { Component, ContentType } from '../../../content-types/model/types.js';
import type { ResponseBudget } from '../../../documents/response/response-size.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { RequestContext } from '../../../documents/request-context.js';
import type { Selection } from '../../../query/ast.js';
import type { IsPreviewed } from '../access/preview-links.js';
import type { ReceivedFile } from '../forms.js';

/** The context of every resolver. */
export interface GraphqlContext extends RequestContext {
  /** The address of the client, as far as it can be trusted. */
  readonly address: string;
  readonly state: GraphqlState;
  /** Does the preview link of the request show this entry, also as a draft? */
  readonly isPreviewed: IsPreviewed;
  /** Of the request, for project code; undefined without such code. */
  readonly koaContext?: KoaContext | undefined;
  /** What is put into the answer counts; of all operations of a request together. */
  readonly budget: ResponseBudget;
  /** What fields of Query gave already, by their names in the answer. */
  readonly found?: ReadonlyMap<string, unknown>;
  /**
   * What the selection of a field of type `<Type>EntityResponse` wants of an entry. What the documents service gives for
   * it is the entity: such a field resolves to `{ data: <that> }`.
   */
  readonly entryRequest: (type: ContentType, info: GraphQLResolveInfo) => EntryRequest;
  /**
   * What the selection of a field, whose type is a union, wants of the members that are of this type; undefined when the
   * schema leaves it out. What is read for it in `graphqlPresenter` is such a member, with `__type`, the type's uid.
   */
  readonly selected: (model: ContentType | Component, info: GraphQLResolveInfo) => Selection | undefined;
}

/** The context of a request for project code. */
export interface KoaContext {
  readonly state: object;
}

/** What owners' resolvers and policies look at, as in Strapi v4: the caller. Nothing of it is secret. */
export interface GraphqlState {
  /** With their role; undefined for tokens and the public. */
  readonly user: EntityValue | undefined;
  readonly auth: {
    readonly strategy: { readonly name: 'users-permissions' | 'api-token' };
    /** The user or the token; null for the public. */
    readonly credentials: EntityValue | null;
    readonly ability: { readonly can: (action: string) => boolean };
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- an owner knows the attributes of users
type EntityValue = { readonly id: number } & Readonly<Record<string, any>>;

// oxlint-disable-next-line typescript/no-explicit-any -- the schema has checked the arguments of each field
export type GraphqlResolver = GraphQLFieldResolver<any, GraphqlContext>;

/** What executed an operation: the compiled plan, graphql-js, or graphql-js after the plan did not get through. */
export type GraphqlExecutor = 'compiled' | 'graphql-js' | 'both';

/** By type and field; scalars by name. */
export type GraphqlResolvers = Readonly<Record<string, GraphQLScalarType | Readonly<Record<string, GraphqlResolver>>>>;

/** What a plugin adds to the GraphQL API. */
export interface GraphqlParts {
  /** Its own types and root fields. Definitions of one object type are merged: `type Query { me: … }`. */
  readonly typeDefs: string;
  readonly resolvers: GraphqlResolvers;
  /**
   * By root field, e.g. `Mutation.upload`: the action that the caller must be allowed; undefined: anyone may. Generated
   * root fields can be named too: this is then the action in place of that of the content type.
   */
  readonly actions: Readonly<Record<string, string | undefined>>;
  /** What is not to be generated of content types. */
  readonly rules?: readonly ShadowRule[];
}

/** A file of a form as the value of a variable of type `Upload`; no JSON can make one. */
export class UploadedFile {
  readonly file: ReceivedFile;

  constructor(file: ReceivedFile) {
    this.file = file;
  }
}

/** What can be done with a content type through root fields. */
export type ShadowAction = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** Leaves a part of a content type or component out of the generated schema. */
export type ShadowRule =
  | { readonly uid: string; readonly without: 'type' | 'queries' | 'mutations' | ShadowAction }
  | { readonly uid: string; readonly field: string; readonly without: 'output' | 'input' | 'filters' };
