import { isDeepStrictEqual } from 'node:util';
import { MongoServerError, type Db } from 'mongodb';
import {
  dialectOf,
  sqlite,
  type Collation,
  type Dialect,
  type DialectChoice,
} from '../../content-types/model/dialects.js';
import type { Registry } from '../../content-types/model/types.js';
import { storedTypes } from '../../content-types/model/stored-types.js';
import { StartError } from '../../errors/start-error.js';
import { systemCommandOptions } from '../read/time-limits.js';

/*
 * Data has the rules of one database, which `_dialect` names. The collections of content types have its collation as
 * their default: all commands and indexes on them have it, too, and no code needs to name it.
 */

/** The rules of stored data; `next` while `migrate` changes them. */
export interface StoredDialect extends DialectChoice {
  readonly next?: DialectChoice;
}

const dialects = (db: Db) => db.collection<StoredDialect & { readonly _id: string }>('_dialect');

const ID = 'dialect';

/** The rules of the stored data; undefined if there is no data. */
export async function readDialect(db: Db, registry: Registry): Promise<StoredDialect | undefined> {
  const stored = await dialects(db).findOne({ _id: ID }, { ...systemCommandOptions, projection: { _id: 0 } });
  if (stored !== null) return stored;
  const collations = await readCollations(db);
  const hasData = [...registry.contentTypes.values()].some(({ collectionName }) => collations.has(collectionName));
  // It was stored before the rules could be chosen.
  return hasData ? sqlite.choice : undefined;
}

/** Notes the rules of the stored data. */
export async function storeDialect(db: Db, stored: StoredDialect): Promise<void> {
  await dialects(db).replaceOne({ _id: ID }, stored, { ...systemCommandOptions, upsert: true });
}

/** Whether data is stored by these rules, under whatever name of a collation. */
export function isStoredBy({ database, collation, next }: StoredDialect, { choice, ...rules }: Dialect): boolean {
  const { choice: _choice, ...stored } = dialectOf(database, collation);
  return next === undefined && database === choice.database && isDeepStrictEqual(stored, rules);
}

/** A database and its collation, for messages. */
export const describeChoice = ({ database, collation }: DialectChoice): string => `${database} (${collation})`;

/** Whose rules values have, and what says so. */
export const describeRules = ({ choice, unusual }: Dialect, says: string): string =>
  unusual === undefined ? `${describeChoice(choice)}, as ${says}` : `${choice.database}, as ${says}; ${unusual}`;

/**
 * Creates the missing collections of content types, and notes the rules in a new database.
 * @throws StartError if the data is stored by other rules
 */
export async function prepareCollections(db: Db, registry: Registry): Promise<void> {
  const { dialect } = registry;
  const stored = (await readDialect(db, registry)) ?? (await claim(db, dialect.choice));
  if (!isStoredBy(stored, dialect)) {
    const { database, collation } = stored;
    throw new StartError(
      stored.next === undefined
        ? `The data is stored by the rules of ${describeChoice(stored)}, not of ${describeChoice(dialect.choice)}, which the project has: set STRAPI_DATABASE=${database} and STRAPI_DATABASE_COLLATION=${collation}, or run npx content-service migrate`
        : `The data is being changed to the rules of ${describeChoice(stored.next)}: run npx content-service migrate --apply again, or with STRAPI_DATABASE=${database} and STRAPI_DATABASE_COLLATION=${collation} to change it back`,
    );
  }
  const collations = await readCollations(db);
  const names = storedTypes(registry).map(({ collectionName }) => collectionName);
  const foreign = names.filter((name) => collations.has(name) && !hasCollation(collations.get(name), dialect));
  if (foreign.length > 0) {
    throw new StartError(
      `The collections ${foreign.join(', ')} have another collation: run npx content-service migrate --apply`,
    );
  }
  const { collation } = dialect;
  if (collation === undefined) return;
  const missing = new Set(names.filter((name) => !collations.has(name)));
  await Promise.all([...missing].map((name) => createCollection(db, name, collation)));
}

/** Notes the rules of a new database, unless another process did. */
async function claim(db: Db, choice: DialectChoice): Promise<StoredDialect> {
  const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after', projection: { _id: 0 } } as const;
  return (await dialects(db).findOneAndUpdate({ _id: ID }, { $setOnInsert: choice }, options)) ?? choice;
}

/** The collations of all collections, by name. */
export async function readCollations(db: Db): Promise<ReadonlyMap<string, Partial<Collation> | undefined>> {
  const collections = await db
    .listCollections({ type: 'collection' }, { ...systemCommandOptions, nameOnly: false })
    .toArray();
  return new Map(collections.map(({ name, options }) => [name, options?.['collation'] as Collation | undefined]));
}

/** Whether the collation that a collection has is that of a dialect. */
export function hasCollation(present: Partial<Collation> | undefined, { collation }: Dialect): boolean {
  if (present === undefined || collation === undefined) return present === collation;
  const isShifted = (one: Partial<Collation>): boolean => one.alternate === 'shifted';
  const { locale, strength } = collation;
  return present.locale === locale && present.strength === strength && isShifted(present) === isShifted(collation);
}

const BAD_VALUE = 2;
const NAMESPACE_EXISTS = 48;

/** @throws StartError if the database does not have the collation */
export async function createCollection(db: Db, name: string, collation: Collation | undefined): Promise<void> {
  try {
    await db.createCollection(name, { ...systemCommandOptions, ...(collation && { collation }) });
  } catch (error) {
    const code = error instanceof MongoServerError ? error.code : undefined;
    // Another process that starts has created it.
    if (code === NAMESPACE_EXISTS) return;
    if (code !== BAD_VALUE) throw error;
    throw new StartError(`STRAPI_DATABASE_COLLATION: ${(error as Error).message}`);
  }
}
