import type { Db } from 'mongodb';
import type { Collation } from '../../../content-types/model/dialects.js';
import type { Registry } from '../../../content-types/model/types.js';
import { storedTypes } from '../../../content-types/model/stored-types.js';
import { addedIndexes, describeDuplicates, indexesOf } from '../../indexes/indexes.js';
import {
  createCollection,
  hasCollation,
  isStoredBy,
  readCollations,
  readDialect,
  storeDialect,
} from '../../stored/dialect.js';

/** What changes with the rules that are configured; undefined: nothing, or there is no data. */
export async function findDialectChange(db: Db, registry: Registry) {
  const from = await readDialect(db, registry);
  if (from === undefined) return undefined;
  const collations = await readCollations(db);
  const names = new Set(storedTypes(registry).map(({ collectionName }) => collectionName));
  /** Those with another collation. */
  const collections = [...names].filter(
    (name) => collations.has(name) && !hasCollation(collations.get(name), registry.dialect),
  );
  return isStoredBy(from, registry.dialect) && collections.length === 0 ? undefined : { from, collections };
}

export type DialectChange = NonNullable<Awaited<ReturnType<typeof findDialectChange>>>;

const COPY = '_copy_of_';

/** The values that are unique now, but not by the rules that are configured: a line for each index. */
export async function findNewDuplicates(db: Db, registry: Registry): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const type of storedTypes(registry)) {
    for (const index of indexesOf(type)) {
      if (index.unique !== true) continue;
      const duplicates = await describeDuplicates(
        db,
        type.collectionName,
        index,
        collationOf(registry.dialect.collation),
      );
      if (duplicates !== '') lines.push(`${index.name} of ${type.collectionName}: ${duplicates}`);
    }
  }
  return lines;
}

/**
 * Stores the data by the rules that are configured. A collection keeps its collation, so each one is copied, and
 * replaced by its copy in one step. Until the last one is, the service does not start, and this can be done again, with
 * these rules or with others. The next start creates the indexes.
 */
export async function changeDialect(
  db: Db,
  { dialect }: Registry,
  { from, collections }: DialectChange,
): Promise<void> {
  const { database, collation } = from;
  await storeDialect(db, { database, collation, next: dialect.choice });
  const copies = [...(await readCollations(db)).keys()].filter((name) => name.startsWith(COPY));
  for (const copy of copies) await db.dropCollection(copy);
  for (const name of collections) {
    const copy = `${COPY}${name}`;
    await createCollection(db, copy, dialect.collation);
    const into = [{ $merge: { into: copy } }];
    await db
      .collection(name)
      .aggregate(into, { collation: collationOf(dialect.collation) })
      .toArray();
    const added = await addedIndexes(db, name);
    if (added.length > 0) await db.collection(copy).createIndexes([...added]);
    await db.renameCollection(copy, name, { dropTarget: true });
  }
  await storeDialect(db, dialect.choice);
}

/** The collation that a command names, which would have that of its collection otherwise. */
const collationOf = (collation: Collation | undefined): Collation | { readonly locale: string } =>
  collation ?? { locale: 'simple' };
