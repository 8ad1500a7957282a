import { isDeepStrictEqual } from 'node:util';
import type { Db, IndexDescription } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { indexesOf } from '../../indexes/indexes.js';
import type { Violation } from './violation.js';

/** The indexes that a content type needs are there. A collection that is not there has nothing to index. */
export async function checkIndexes(db: Db, type: ContentType): Promise<readonly Violation[]> {
  const collection = type.collectionName;
  const found = await db.listCollections({ name: collection }, { nameOnly: true }).hasNext();
  if (!found) return [];
  const present = (await db.collection(collection).listIndexes().toArray()) as readonly IndexDescription[];
  return indexesOf(type).flatMap((wanted) => {
    const path = `index ${wanted.name}`;
    const index = present.find(({ name }) => name === wanted.name);
    if (index === undefined)
      return [{ collection, id: '', path, rule: 'is not there: a start of the service makes it' }];
    if (isDeepStrictEqual(essence(index), essence(wanted))) return [];
    return [{ collection, id: '', path, rule: 'is another one: drop it, and a start of the service makes it' }];
  });
}

/** What counts of an index; the order of its keys does. */
const essence = ({ key, unique = false, sparse = false, partialFilterExpression = {} }: IndexDescription): unknown => ({
  key: Object.entries(key),
  unique,
  sparse,
  partialFilterExpression,
});
