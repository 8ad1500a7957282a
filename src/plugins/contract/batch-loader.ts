import DataLoader from 'dataloader';
import type { GraphqlContext } from './graphql/parts.js';

/**
 * A batched loader: values by id, looked up once for all ids that the fields of one operation request together under
 * the same key. Nothing is cached, because a mutation can come in between.
 */
export function createBatchLoader<V>() {
  const loaders = new WeakMap<GraphqlContext, Map<string, DataLoader<number, V | undefined>>>();
  return (
    context: GraphqlContext,
    key: string,
    id: number,
    load: (ids: readonly number[]) => Promise<ReadonlyMap<number, V>>,
  ): Promise<V | undefined> => {
    const ofContext = loaders.get(context) ?? new Map<string, DataLoader<number, V | undefined>>();
    loaders.set(context, ofContext);
    const loadEach = async (ids: readonly number[]): Promise<(V | undefined)[]> => {
      const loaded = await load([...new Set(ids)]);
      return ids.map((id) => loaded.get(id));
    };
    const loader = ofContext.get(key) ?? new DataLoader<number, V | undefined>(loadEach, { cache: false });
    ofContext.set(key, loader);
    return loader.load(id);
  };
}
