import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import type { EntryStates } from '../../documents/entry-states.js';
import type { Writers } from '../../documents/find-writers.js';
import type { Asker, IdentifiedEntry } from '../../documents/identify.js';
import type { DataCount } from '../../documents/input/data-bounds.js';
import type { Validation } from '../../documents/input/parse-data.js';
import type { Present, ReadRequest } from '../../documents/read-operation.js';
import type { Operation } from '../../documents/write/batch/turns.js';
import type { WrittenEntry } from '../../documents/write/conditional/by-key.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import type { CreateOptions } from '../../documents/write/create.js';
import type { Target, TargetOptions } from '../../documents/write/target.js';

/**
 * Entries as the API reads and writes them, with the rights and rules of a caller, by content type. Whether a caller
 * has the permission of an action is for the `action` of the route.
 */
export interface PluginDocuments {
  /**
   * Reads a list, or one entry, and presents it.
   * @throws AppError invalidParameter, notFound, tooCostly, unavailable, outOfTime
   */
  readonly read: <R>(request: ReadRequest, present: Present<R>) => Promise<R>;
  /** Reads the entry with an id. @param present default: in the form of the request. @throws AppError as `read` */
  readonly readEntry: (
    type: ContentType,
    id: number,
    request: EntryRequest,
    present?: Present<unknown>,
  ) => Promise<unknown>;
  /** Returns the new entry. @throws AppError validation, invalidValue, missingRelations */
  readonly create: (
    type: ContentType,
    data: unknown,
    request: EntryRequest,
    options?: CreateOptions,
  ) => Promise<unknown>;
  /**
   * Changes the attributes in the data. The entry of a single type is created if it does not exist and nothing is
   * appended; an entry with a key as the mode says. The `check` of the options runs while the entry is locked.
   * @throws AppError as `create`, notFound, preconditionFailed, conflict
   */
  readonly update: (
    target: Target,
    data: unknown,
    request: EntryRequest,
    options?: TargetOptions,
  ) => Promise<WrittenEntry>;
  /** Returns the entry as it was. @throws AppError notFound, preconditionFailed */
  readonly delete: (target: Target, request: EntryRequest, check?: CheckVersion) => Promise<unknown>;
  /** Those of these ids whose entries exist for the caller, where others are related to them. */
  readonly visibleIds: (type: ContentType, ids: readonly number[], caller: Caller) => Promise<readonly number[]>;
  /** Whether the drafts of a type are hidden from the caller. */
  readonly hidesDrafts: (type: ContentType, caller: Caller) => boolean;
  /** Which states of an entry exist for a caller who changes it: the entry, and what is prepared of it. */
  readonly statesOf: (
    type: ContentType,
    id: number,
    action: 'update' | 'delete',
    caller: Caller,
  ) => Promise<EntryStates>;
  /**
   * The ids of the users who created and last changed the latest state of an entry, for a caller who may change it.
   * @throws AppError forbidden, notFound
   */
  readonly writersOf: (type: ContentType, id: number, caller: Caller) => Promise<Writers>;
  /** Whether an entry that is not there is in the trash: what is kept beside it is needed when it is restored. */
  readonly isInTrash: (type: ContentType, id: number) => Promise<boolean>;
}

/** What another form of the content API needs beside them; it can change with each minor version. */
export interface FormDocuments extends PluginDocuments {
  /** Writes that are stored together, or not at all. @throws AppError that names the operation */
  readonly batch: (operations: readonly Operation[]) => Promise<readonly unknown[]>;
  /** The entries of these documents, or without a list all of a single type, that exist for who asks. */
  readonly identify: (
    type: ContentType,
    documentIds: readonly string[] | undefined,
    asker?: Asker,
  ) => Promise<readonly IdentifiedEntry[]>;
  /**
   * Counts the data of a request that is written by several calls, or from which something is made before it is
   * written.
   */
  readonly openCount: () => DataCount;
  /**
   * Checks data that is not written, and returns it cast.
   * @throws AppError notFound, validation, invalidValue, missingRelations
   */
  readonly validate: (type: ContentType, data: unknown, validation: Validation) => Promise<unknown>;
}
