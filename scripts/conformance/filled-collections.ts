import type { Db, Document } from 'mongodb';

/** The names of the collections that have documents, by one command: of a hundred most tests and areas fill a few. */
export async function filledCollections(db: Db): Promise<ReadonlySet<string>> {
  const [first, ...others] = await db.listCollections({}, { nameOnly: true }).toArray();
  if (first === undefined) return new Set();
  const nameOnce = (name: string): Document[] => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }];
  const unions = others.map(({ name }) => ({ $unionWith: { coll: name, pipeline: nameOnce(name) } }));
  const found = db.collection(first.name).aggregate([...nameOnce(first.name), ...unions]);
  return new Set((await found.toArray()).map(({ name }) => String(name)));
}
