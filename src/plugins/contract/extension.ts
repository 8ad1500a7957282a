import type { RequestHandler } from 'express';
import type { Data } from '../../config/record.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import type { Log } from '../../mongo/connection/database.js';
import type { PolicyRequest } from './access/policy-request.js';
import type { Application } from './application.js';
import type { UploadFile } from './forms.js';
import type { NamedPolicies } from './policies.js';
import type { Route } from './plugin.js';

/** What project code is given. */
export interface ExtensionContext {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly uploadFile: UploadFile;
  readonly log: Log;
}

/** An owner's own code: the exports of `extensions/index.js`. */
export interface Extension {
  /** Runs before the plugins start: Strapi v4's place to extend GraphQL. */
  readonly register?: (application: { readonly strapi: Application }) => Promise<void> | void;
  /** By names that `resolversConfig` of GraphQL may use. */
  readonly policies?: NamedPolicies['policies'];
  readonly middlewares?: NamedPolicies['middlewares'];
  /** Runs at every start, before the first request. */
  readonly bootstrap?: (context: ExtensionContext) => Promise<void> | void;
  /** What happens around writes, by the uid of the content type. */
  readonly lifecycles?: Readonly<Record<string, Lifecycle>>;
  /** Routes below `/api`, beside the generated ones; where both fit, these are taken. */
  readonly routes?: readonly Route[] | ((context: ExtensionContext) => readonly Route[]);
  /** What stands before an action, e.g. `api::article.article.create`: policies over REST and GraphQL, middlewares over REST. */
  readonly guards?: Readonly<Record<string, Guards>>;
}

/** A write that is about to happen; `id` is undefined for a new entry. */
export interface WriteEvent {
  readonly id: number | undefined;
  readonly data: Data;
  readonly caller: Caller;
  readonly entries: Entries;
}

/** A write that happened, or a delete that is about to. */
export interface EntryEvent {
  readonly id: number;
  readonly entries: Entries;
}

/**
 * What happens around writes of one content type. A `before` of data may give other data, or refuse by throwing;
 * an `after` runs when the write is done, and what it throws does not undo it.
 */
export interface Lifecycle {
  readonly beforeCreate?: (event: WriteEvent) => Data | void | Promise<Data | void>;
  readonly afterCreate?: (event: EntryEvent) => Promise<void> | void;
  readonly beforeUpdate?: (event: WriteEvent) => Data | void | Promise<Data | void>;
  readonly afterUpdate?: (event: EntryEvent) => Promise<void> | void;
  readonly beforeDelete?: (event: EntryEvent) => Promise<void> | void;
  readonly afterDelete?: (event: EntryEvent) => Promise<void> | void;
}

/** Says whether a request may go on; if not, it is answered with 403. */
export type Policy = (request: PolicyRequest, context: ExtensionContext) => boolean | Promise<boolean>;

export interface Guards {
  readonly policies?: readonly Policy[];
  readonly middlewares?: readonly RequestHandler[];
}
