import { isDeepStrictEqual } from 'node:util';
import type { Db, IndexDescription } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { indexesOf } from '../../indexes/indexes.js';
import type { Violation } from './violation.js';

/** The indexes of a content type exist. A missing collection needs none. */
export async function checkIndexes(db: Db, type: ContentType): Promise<readonly Violation[]> {
  const collection = type.collectionName;
  const found = await db.listCollections({ name: collection }, { nameOnly: true }).hasNext();
  if (!found) return [];
  const present = (await db.collection(collection).listIndexes().toArray()) as readonly IndexDescription[];
  return indexesOf(type).flatMap((expected) => {
    const path = `index ${expected.name}`;
    const index = present.find(({ name }) => name === expected.name);
    if (index === undefined) return [{ collection, id: '', path, rule: 'is missing: it is created at the next start' }];
    if (isDeepStrictEqual(essence(index), essence(expected))) return [];
    return [{ collection, id: '', path, rule: 'is different: drop it, and the next start creates it' }];
  });
}

/** The relevant parts of an index, including the order of its keys. */
const essence = ({ key, unique = false, sparse = false, partialFilterExpression = {} }: IndexDescription): unknown => ({
  key: Object.entries(key),
  unique,
  sparse,
  partialFilterExpression,
});
