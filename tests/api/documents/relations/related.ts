import type { Client } from '../../../support/service.js';

interface Entry {
  readonly id: number;
}

/** The related ids of an entry: an ordered list, one id, or null. */
export async function related(client: Client, path: string, name: string): Promise<readonly number[] | number | null> {
  const { status, body } = await client.get(`${path}?populate[${name}][fields][0]=id`);
  if (status !== 200) throw new Error(`GET ${path}: ${status}`);
  const { data }: { data: readonly Entry[] | Entry | null } = body.data.attributes[name];
  if (data === null) return null;
  return 'id' in data ? data.id : data.map(({ id }) => id);
}

/** Creates this many entries; returns their ids. */
export async function createMany(
  { create }: Client,
  collection: string,
  count: number,
  data: (index: number) => object,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await create(collection, data(index)));
  return ids;
}
