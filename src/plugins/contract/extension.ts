import type { RequestHandler } from 'express';
import type { Data } from '../../config/record.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries } from '../../documents/entries.js';
import type { ProjectHooks } from '../../documents/hooks.js';
import type { Logger } from '../../errors/logger.js';
import type { EntryName } from '../../query/mutation.js';
import type { PolicyRequest } from './access/policy-request.js';
import type { Application } from './application.js';
import type { UploadFile } from './forms.js';
import type { NamedPolicies } from './policies.js';
import type { Route } from './plugin.js';

/** The results that project code receives. */
export interface ExtensionContext {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly uploadFile: UploadFile;
  readonly log: Logger;
}

/** Project code: the exports of `extensions/index.js`. */
export interface Extension {
  /** Runs before the plugins start: Strapi v4's place to extend GraphQL. */
  readonly register?: (application: { readonly strapi: Application }) => Promise<void> | void;
  /** By the names used in `resolversConfig` of GraphQL. */
  readonly policies?: NamedPolicies['policies'];
  readonly middlewares?: NamedPolicies['middlewares'];
  /** Runs at every start, before the first request. */
  readonly bootstrap?: (context: ExtensionContext) => Promise<void> | void;
  /** Lifecycles, by the uid of the content type. */
  readonly lifecycles?: Readonly<Record<string, Lifecycle>>;
  /** Routes below `/api`, which take precedence over generated ones. */
  readonly routes?: readonly Route[] | ((context: ExtensionContext) => readonly Route[]);
  /** Guards of an action, e.g. `api::article.article.create`: policies over REST and GraphQL, middlewares over REST. */
  readonly guards?: Readonly<Record<string, Guards>>;
}

/** The event before a write; `id` is undefined for a new entry. */
export interface WriteEvent {
  readonly id: number | undefined;
  readonly data: Data;
  readonly caller: Caller;
  readonly entries: Entries;
}

/** The event after a write, or before a delete. */
export interface EntryEvent {
  readonly id: number;
  readonly entries: Entries;
}

/**
 * Lifecycles of one content type. A `before` function can return other data, or refuse the write by throwing;
 * an `after` function runs after the write, and an error in it is logged: the write is stored, and answered so.
 */
export interface Lifecycle {
  readonly beforeCreate?: (event: WriteEvent) => Data | void | Promise<Data | void>;
  readonly afterCreate?: (event: EntryEvent) => Promise<void> | void;
  readonly beforeUpdate?: (event: WriteEvent) => Data | void | Promise<Data | void>;
  readonly afterUpdate?: (event: EntryEvent) => Promise<void> | void;
  readonly beforeDelete?: (event: EntryEvent) => Promise<void> | void;
  readonly afterDelete?: (event: EntryEvent) => Promise<void> | void;
}

const afterNames = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const;

/**
 * The project's lifecycles as hooks of the documents service.
 * @param entries the entries service for events, resolved at the first event
 */
export function hooksOf(lifecycles: NonNullable<Extension['lifecycles']>, entries: () => Entries): ProjectHooks {
  const eventOf = ({ id }: EntryName): EntryEvent => ({ id, entries: entries() });
  return {
    runsCode: ({ uid }) => lifecycles[uid] !== undefined,
    prepare: async (data, { action, type, id, caller }) => {
      const lifecycle = lifecycles[type.uid];
      const before = action === 'create' ? lifecycle?.beforeCreate : lifecycle?.beforeUpdate;
      return (await before?.({ id, data, caller, entries: entries() })) ?? data;
    },
    beforeDelete: async (deletion) => {
      await lifecycles[deletion.type.uid]?.beforeDelete?.(eventOf(deletion));
    },
    afterWrite: async (written) => {
      await lifecycles[written.type.uid]?.[afterNames[written.action]]?.(eventOf(written));
    },
  };
}

/** Returns whether a request may proceed; otherwise it gets 403. */
export type Policy = (request: PolicyRequest, context: ExtensionContext) => boolean | Promise<boolean>;

export interface Guards {
  readonly policies?: readonly Policy[];
  readonly middlewares?: readonly RequestHandler[];
}
