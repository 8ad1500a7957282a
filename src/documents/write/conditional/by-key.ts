import { isRecord } from '../../../config/record.js';
import type { ContentType, ParameterValues } from '../../../content-types/model/types.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import type { Rule } from '../../../errors/codes.js';
import { both, type Filter } from '../../../query/ast.js';
import { noValues, parametersOf, selectedValues } from '../../../query/plugin-parameters.js';
import type { Key } from '../../../query/parse/parse-key.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import type { Caller } from '../../caller.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../../context.js';
import { findIds, first } from '../../read.js';
import { createEntry } from '../create.js';
import { deleteEntry } from '../delete.js';
import { isTaken } from '../taken-values.js';
import { updateEntry } from '../update.js';
import type { CheckVersion } from './while-unchanged.js';

/** An entry of a write, named by a unique value. */
export interface KeyedEntry {
  readonly type: ContentType;
  readonly key: Key;
  /** The key as a condition. */
  readonly filter: Filter;
}

/**
 * How a write treats a missing and an existing entry: it updates an existing one, creates a missing one too, or only
 * creates.
 */
export type WriteMode = 'update' | 'upsert' | 'create';

/** The entry in the response, and whether it was created. */
export interface WrittenEntry {
  readonly entry: unknown;
  readonly isNew: boolean;
}

/** Attempts of a write whose entry others create and delete at the same time. */
const ATTEMPTS = 10;

/**
 * Updates or creates the entry with a key. If several requests do this at the same time, one creates it and the others
 * update it.
 * @throws AppError notFound, validation, invalidValue, missingRelations, preconditionFailed, conflict
 */
export async function writeByKey(
  context: DocumentsContext,
  entry: KeyedEntry,
  written: unknown,
  request: EntryRequest,
  mode: WriteMode,
  check?: CheckVersion,
): Promise<WrittenEntry> {
  const { type } = entry;
  const parameters = scopeOf(type, mode === 'update' ? undefined : written, request);
  const { caller, limitedBy = caller } = request;
  const data = mode === 'update' ? written : dataWithKey(entry, written, limitedBy, parameters);
  const scoped = { ...request, parameters };
  const find = (): Promise<number | undefined> => findId(context, entry, scoped, 'update');
  let failed: { readonly id: number; readonly error: unknown } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const id = await find();
    if (id !== undefined) {
      if (mode === 'create') throw new AppError('preconditionFailed', 'An entry with this key exists');
      if (id === failed?.id) throw failed.error;
      try {
        const step = { only: entry.filter, values: new Map() };
        return { entry: await updateEntry(context, type, id, data, scoped, { step, check }), isNew: false };
      } catch (error) {
        if (mode === 'update' || !hasCode(error, 'notFound')) throw error;
        // It was deleted, or has another key now.
        failed = { id, error };
      }
    } else if (mode === 'update') {
      throw new AppError('notFound');
    } else if (check !== undefined) {
      throw new AppError('preconditionFailed', 'The entry does not exist');
    } else {
      try {
        return { entry: await createEntry(context, type, data, scoped), isNew: true };
      } catch (error) {
        if (!(await isWrittenSince(context, entry, error, find))) throw error;
      }
    }
  }
  throw new AppError('conflict', 'Other requests create and delete the entry with this key');
}

/** Whether an entry could not be created because another request created it, which may have deleted it since. */
async function isWrittenSince(
  context: DocumentsContext,
  { type, key: { attribute }, filter }: KeyedEntry,
  error: unknown,
  find: () => Promise<number | undefined>,
): Promise<boolean> {
  if (!hasCode(error, 'validation', 'invalidValue')) return false;
  const holder = async (): Promise<number | undefined> => (await findIds(context, type, filter))[0];
  const before = await holder();
  if ((await find()) !== undefined) return true;
  if (!isTaken(error, attribute)) return false;
  // One that the caller does not find, e.g. in another locale, holds the key for longer.
  return before === undefined || before !== (await holder());
}

/** Deletes the entry with a key, and returns it as it was. @throws AppError notFound, preconditionFailed */
export async function deleteByKey(
  context: DocumentsContext,
  entry: KeyedEntry,
  request: EntryRequest,
  check?: CheckVersion,
): Promise<unknown> {
  const { type, filter } = entry;
  const scoped = { ...request, parameters: scopeOf(type, undefined, request) };
  const id = await findId(context, entry, scoped, 'delete');
  if (id === undefined) throw new AppError('notFound');
  return deleteEntry(context, type, id, scoped, { only: filter, check });
}

/** The id of the entry, also of a draft: a unique value is unique among drafts too. */
async function findId(
  context: DocumentsContext,
  { type, filter }: KeyedEntry,
  { caller, limitedBy = caller, parameters = noValues }: EntryRequest,
  action: 'update' | 'delete',
): Promise<number | undefined> {
  const query = { ...emptyQuery(type), filter, publicationState: 'preview', parameters } as const;
  // The key is that of the entry, not of its working copy.
  const { latest: _, ...visible } = context.intercept(query, { action: 'findByKey', caller });
  const only = both(visible.filter, context.limitOf(type, action, limitedBy));
  const [match] = (await context.store.find(first({ ...visible, filter: only }))).entries;
  return (match?.(plainEntry) as { readonly id: number } | undefined)?.id;
}

/**
 * The data of an entry that may be created: it has the key, and what the parameters select.
 * @throws AppError validation
 */
function dataWithKey(
  { type, key, filter }: KeyedEntry,
  data: unknown,
  caller: Caller,
  parameters: ParameterValues,
): unknown {
  if (!isRecord(data)) return data;
  const { attribute: name, value } = key;
  const refuse = (message: string, rule?: Rule): never => {
    throw new AppError('validation', [{ path: [name], message, rule }]);
  };
  const attribute = type.attributes.get(name);
  if (attribute !== undefined && caller.withheld?.(`${type.uid}.create`)?.has(attribute) === true)
    refuse(`${name} must not be written`, 'writable');
  const [cast] = filter.kind === 'comparison' ? filter.operands : [];
  const { [name]: own = typeof cast === 'number' ? cast : value } = data;
  if (String(own) !== value) refuse(`${name} must have the value in the path`);
  return { ...data, [name]: own, ...selectedValues(type, parameters) };
}

/**
 * The parameters by which the entry is found. What the data has of the attributes that they select applies to a new
 * entry, so the two must not contradict each other.
 * @throws AppError invalidParameter, validation
 */
function scopeOf(type: ContentType, data: unknown, { parameters = noValues }: EntryRequest): ParameterValues {
  const selected = parametersOf(type).flatMap(({ name, selects }) => {
    if (selects === undefined) return [];
    const own = isRecord(data) ? (data[selects.attribute] ?? undefined) : undefined;
    const given = parameters[name];
    if (given === undefined) return [[name, own] as const];
    if (typeof given !== 'string' || given === selects.all) throw new AppError('invalidParameter', name);
    if (own !== undefined && own !== given) {
      const message = `${selects.attribute} must have the value in the query`;
      throw new AppError('validation', [{ path: [selects.attribute], message }]);
    }
    return [[name, given] as const];
  });
  return { ...parameters, ...Object.fromEntries(selected) };
}
