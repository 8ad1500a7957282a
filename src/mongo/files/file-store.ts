import type { Readable } from 'node:stream';

/** A file as it is stored. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Another one for each content that is stored under a name. */
  readonly version: string;
  /** Its bytes; `start` and `end` are inclusive. */
  read(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/**
 * Where the bytes of files are kept, by name; names are of one level and of the characters of `isStoredName`. In this
 * room because GridFS is one of them.
 */
export interface FileStore {
  /** Puts a file in, whole or not at all, in place of one with the same name. */
  put(name: string, content: Readable): Promise<void>;
  get(name: string): Promise<StoredFile | undefined>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
  /** Every file. */
  list(): AsyncIterable<{ readonly name: string; readonly modified: Date }>;
  /** Removes what those that were put in half-way have left, if they began before. */
  removeUnfinished(before: Date): Promise<void>;
  /** Rejects while the store does not answer; absent if it needs nothing but the disk or the database. */
  readonly check?: () => Promise<void>;
}

/** Letters, digits, `_`, `-` and dots, not beginning with a dot: no way out of a folder, nothing hidden. */
export const isStoredName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,250}$/.test(name);
