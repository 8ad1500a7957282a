import type { Data } from '../config/record.js';
import type { ContentType } from '../content-types/model/types.js';
import type { DependentWrite, EntryName, Links, StoredValue } from '../query/mutation.js';
import type { Door } from '../query/receipt.js';
import type { Caller } from './caller.js';

/** What every hook of a write is told, and is the same for all of them. */
export interface WriteIdentity {
  /** Distinguishes the write from all others. */
  readonly writeId: string;
  /** Who writes. */
  readonly caller: Caller;
  /** How the write came in. */
  readonly door: Door;
}

/** Data that a client or project code writes, before it is validated. */
export interface Writing extends WriteIdentity {
  readonly action: 'create' | 'update';
  readonly type: ContentType;
  /** Undefined for a new entry. */
  readonly id: number | undefined;
  /** The write is checked and not stored. */
  readonly isDryRun: boolean;
  /** The entry that the new one is a localization of. */
  readonly localizationOf?: number | undefined;
}

/** An encoded write, just before it is applied. */
export interface HookedChange extends WriteIdentity {
  readonly action: 'create' | 'update';
  readonly type: ContentType;
  readonly id: number;
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  readonly links: readonly Links[];
  /** The written values that localizations share. */
  readonly shared: readonly string[];
}

/** Work to do after a deletion. */
export type AfterDelete = () => Promise<void>;

/** An entry that is about to be deleted. */
export type Deleting = EntryName & WriteIdentity;

/** Deleted entries that are about to be removed for good. */
export interface Purging {
  readonly type: ContentType;
  readonly ids: readonly number[];
}

/** Work to do after a removal for good. @param removed the ids of those that this removal has removed */
export type AfterPurge = (removed: ReadonlySet<number>) => Promise<void>;

/** An entry that was written or deleted. */
export interface Written extends WriteIdentity {
  readonly action: 'create' | 'update' | 'delete';
  readonly type: ContentType;
  readonly id: number;
  /**
   * The stored values of the attributes that were written; undefined for a deletion, and where several entries get
   * them.
   */
  readonly values?: ReadonlyMap<string, StoredValue | undefined>;
  /** The written relations. */
  readonly links?: readonly Links[];
}

/** The hooks of a plugin or project into writes. Each is optional; they run in the order of the plugins. */
export interface DocumentHooks {
  /** Changes the data before it is validated, or refuses it with an AppError. */
  readonly prepare?: (data: Data, writing: Writing) => Data | Promise<Data>;
  /** Writes committed together with this one. As in Strapi v4, the response does not show them. */
  readonly follow?: (change: HookedChange) => readonly DependentWrite[] | Promise<readonly DependentWrite[]>;
  /**
   * Refuses the deletion of an entry with an AppError, or reads data for the work after it, which the returned function
   * does.
   */
  readonly beforeDelete?: (entry: Deleting) => Promise<AfterDelete | void>;
  /** Before entries in the trash are removed for good: reads data for the work after it, as `beforeDelete`. */
  readonly beforePurge?: (entries: Purging) => Promise<AfterPurge | void>;
  /**
   * Runs after the write. Only code of a Strapi project can fail here, and as in Strapi v4 its error is the response.
   */
  readonly afterWrite?: (written: Written) => void | Promise<void>;
}

/** The hooks of the project's code. */
export interface ProjectHooks extends DocumentHooks {
  /** Whether it runs before or after writes of a type. */
  readonly runsCode: (type: ContentType) => boolean;
}

export interface JoinedHooks extends Required<ProjectHooks> {
  readonly beforeDelete: (entry: Deleting) => Promise<AfterDelete>;
  readonly beforePurge: (entries: Purging) => Promise<AfterPurge>;
  /**
   * Prepares data that is saved in a working copy by the hooks of plugins, without code of the project: that runs when
   * the copy is published.
   */
  readonly prepareCopy: (data: Data, writing: Writing) => Promise<Data>;
  /** Runs the hooks of plugins once more, without code of the project, when the transaction of the write has ended. */
  readonly afterTransaction: (written: Written) => Promise<void>;
}

/** The hooks of plugins, and after them those of the project. */
export function joinHooks(ofPlugins: readonly DocumentHooks[], ofProject: readonly ProjectHooks[] = []): JoinedHooks {
  const hooks: readonly DocumentHooks[] = [...ofPlugins, ...ofProject];
  const prepareBy =
    (some: readonly DocumentHooks[]) =>
    async (data: Data, writing: Writing): Promise<Data> => {
      let prepared = data;
      for (const { prepare } of some) if (prepare !== undefined) prepared = await prepare(prepared, writing);
      return prepared;
    };
  return {
    prepare: prepareBy(hooks),
    prepareCopy: prepareBy(ofPlugins),
    follow: async (change) => {
      const writes: DependentWrite[] = [];
      for (const { follow } of hooks) if (follow !== undefined) writes.push(...(await follow(change)));
      return writes;
    },
    beforeDelete: async (entry) => {
      const following: AfterDelete[] = [];
      for (const { beforeDelete } of hooks) following.push((await beforeDelete?.(entry)) ?? nothing);
      return async () => {
        for (const run of following) await run();
      };
    },
    beforePurge: async (entries) => {
      const following = await Promise.all(hooks.map(async ({ beforePurge }) => beforePurge?.(entries)));
      return async (removed) => {
        for (const run of following) await run?.(removed);
      };
    },
    runsCode: (type) => ofProject.some(({ runsCode }) => runsCode(type)),
    afterWrite: async (written) => {
      for (const { afterWrite } of hooks) await afterWrite?.(written);
    },
    afterTransaction: async (written) => {
      for (const { afterWrite } of ofPlugins) await afterWrite?.(written);
    },
  };
}

/**
 * Hooks that do not fail after a write: it is stored, so its response must not say that it was refused.
 * @param report receives what they throw
 */
export function withoutLateErrors<Hooks extends DocumentHooks>(hooks: Hooks, report: (error: unknown) => void): Hooks {
  const reported = async (work: () => void | Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      report(error);
    }
  };
  const { afterWrite, beforeDelete, beforePurge } = hooks;
  return {
    ...hooks,
    ...(afterWrite && { afterWrite: (written) => reported(() => afterWrite(written)) }),
    ...(beforeDelete && {
      beforeDelete: async (entry) => {
        const following = await beforeDelete(entry);
        return following && (() => reported(following));
      },
    }),
    ...(beforePurge && {
      beforePurge: async (entries) => {
        const following = await beforePurge(entries);
        return following && ((removed) => reported(() => following(removed)));
      },
    }),
  };
}

const nothing: AfterDelete = () => Promise.resolve();
