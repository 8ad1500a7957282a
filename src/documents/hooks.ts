import type { ContentType } from '../content-types/model/types.js';
import type { Links, StoredValue, Write } from '../query/mutation.js';
import type { Caller } from './caller.js';

type Data = Readonly<Record<string, unknown>>;

/** A write on its way: `id` of the entry, undefined for a new one. */
export interface Writing {
  readonly action: 'create' | 'update';
  readonly type: ContentType;
  readonly id: number | undefined;
  readonly caller: Caller;
}

/** A write that is encoded, just before it is applied: what changes in which entry. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly type: ContentType;
  readonly id: number;
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  readonly links: readonly Links[];
  /** Of values that localizations share, those that are written, each with what tells it from former ones. */
  readonly stamps: ReadonlyMap<string, number>;
}

/** What a plugin or an owner adds to writes. Each part is optional; they run in the order of the plugins. */
export interface DocumentHooks {
  /** Changes the data before it is validated, or refuses it with an AppError. */
  readonly prepare?: (data: Data, writing: Writing) => Data | Promise<Data>;
  /** Further writes that must happen with this one, or not at all. As recorded, the answer does not show them yet. */
  readonly follow?: (change: Change) => readonly Write[] | Promise<readonly Write[]>;
  /** Runs when the write is done. */
  readonly after?: (change: Change) => void | Promise<void>;
}

/** The hooks of all plugins as one. */
export function joinHooks(hooks: readonly DocumentHooks[]): Required<DocumentHooks> {
  return {
    prepare: async (data, writing) => {
      let prepared = data;
      for (const { prepare } of hooks) if (prepare !== undefined) prepared = await prepare(prepared, writing);
      return prepared;
    },
    follow: async (change) => {
      const writes: Write[] = [];
      for (const { follow } of hooks) if (follow !== undefined) writes.push(...(await follow(change)));
      return writes;
    },
    after: async (change) => {
      for (const { after } of hooks) await after?.(change);
    },
  };
}
