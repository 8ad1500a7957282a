import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { Component, ContentType } from '../../../content-types/model/types.js';
import type { DataCount } from '../../../documents/input/data-bounds.js';
import type { ResponseBudget } from '../../../documents/response/response-body.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Documents } from '../../../documents/documents.js';
import type { RequestContext } from '../../../documents/request-context.js';
import type { Selection } from '../../../query/ast.js';
import type { IsPreviewed } from '../access/preview-links.js';
import type { ReceivedFile } from '../forms.js';

/** The context of every resolver. */
export interface GraphqlContext extends RequestContext {
  /** The client's address, according to trusted proxies. */
  readonly address: string;
  readonly state: GraphqlState;
  /** Whether the preview link of the request shows this entry, also as a draft. */
  readonly isPreviewed: IsPreviewed;
  /** The Koa context of the request; undefined without project code. */
  readonly koaContext?: KoaContext | undefined;
  /** Counts the size of the response for all operations of a request together. */
  readonly budget: ResponseBudget;
  /** Counts the data of a write with that of all other operations of the request. @throws AppError validation */
  readonly countData: DataCount['add'];
  /**
   * By the name of a field in the response, the ids of the entries that a mutation has written, null for what is no
   * entry.
   */
  readonly stored?: Map<string, unknown>;
  /** Reads entries for a field. */
  readonly read: Documents['read'];
  /** Resolves a field of Query with a `read` that waits until the cache of responses is asked; undefined: it is not. */
  readonly hold?: <T>(resolve: (read: Documents['read']) => T | Promise<T>) => Promise<T>;
  /**
   * The query for the selection of a field of type `<Type>EntityResponse`. The result of the documents service for
   * it is the entity: such a field resolves to `{ value: <that> }`.
   */
  readonly entryRequest: (type: ContentType, info: GraphQLResolveInfo) => EntryRequest;
  /**
   * The query for the selection of a union field on members of this type; undefined if the
   * schema omits it. Its result in `graphqlPresenter` is such a member, with `__type`, the type's uid.
   */
  readonly selected: (model: ContentType | Component, info: GraphQLResolveInfo) => Selection | undefined;
}

/** The context of a request for project code. */
export interface KoaContext {
  readonly state: object;
}

/** The caller for resolvers and policies of projects, as in Strapi v4, without secrets. */
export interface GraphqlState {
  /** With their role; undefined for tokens and the public. */
  readonly user?: EntityValue | undefined;
  /** As in Strapi v4, also for the public. */
  readonly isAuthenticated: true;
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

/** By type and field; scalars by name. */
export type GraphqlResolvers = Readonly<Record<string, GraphQLScalarType | Readonly<Record<string, GraphqlResolver>>>>;

/** Additions of a plugin to the GraphQL API. */
export interface GraphqlParts {
  /** Its own types and root fields. Definitions of one object type are merged: `type Query { me: … }`. */
  readonly typeDefs: string;
  readonly resolvers: GraphqlResolvers;
  /**
   * By root field, e.g. `Mutation.upload`: the required action; undefined: none. Generated
   * root fields can be listed too, to replace the action of the content type.
   */
  readonly actions: Readonly<Record<string, string | undefined>>;
  /** Parts of content types that are not generated. */
  readonly rules?: readonly ShadowRule[];
}

/**
 * A file of a form as the value of a variable of type `Upload`, undefined if the form lacks it; it cannot be created by
 * JSON.
 */
export class UploadedFile {
  readonly file: ReceivedFile | undefined;

  constructor(file: ReceivedFile | undefined) {
    this.file = file;
  }
}

/** The root field operations of a content type. */
export type ShadowAction = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** Removes a part of a content type or component from the generated schema. */
export type ShadowRule =
  | { readonly uid: string; readonly without: 'type' | 'queries' | 'mutations' | 'groups' | ShadowAction }
  /**
   * Without `required`: some callers get null in place of every value. Without `groups`: it is neither a key nor a
   * measure.
   */
  | {
      readonly uid: string;
      readonly field: string;
      readonly without: 'output' | 'input' | 'filters' | 'required' | 'groups';
    };
