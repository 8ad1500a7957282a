import type { Readable } from 'node:stream';

export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Different for each content stored under a name. */
  readonly version: string;
  /** Its bytes; `start` and `end` are inclusive. */
  read(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/**
 * Stores the bytes of files by name; names have one level and the characters of `isStoredName`. In this
 * module because GridFS is one implementation.
 */
export interface FileStore {
  /** Stores a file completely or not at all, replacing one with the same name. */
  put(name: string, content: Readable): Promise<void>;
  get(name: string): Promise<StoredFile | undefined>;
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>;
  /** Every file. */
  list(): AsyncIterable<{ readonly name: string; readonly modified: Date }>;
  /** Removes remains of incomplete files that were started before this time. */
  removeUnfinished(before: Date): Promise<void>;
  /** Rejects while the store does not respond; absent if it needs only the disk or the database. */
  readonly check?: () => Promise<void>;
}

/** Letters, digits, `_`, `-` and dots, not beginning with a dot: it cannot leave the folder or be hidden. */
export const isStoredName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,250}$/.test(name);
