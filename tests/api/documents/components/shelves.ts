import type { Document } from 'mongodb';
import { useService, type Answer, type Client } from '../../../support/service.js';

export interface Shelves extends Client {
  /** Reads a stored shelf. */
  stored(id: number): Promise<Document>;
  /** Creates a shelf and returns its stored form. */
  shelf(data: object): Promise<Document>;
  /** Changes a shelf and returns its stored form. */
  change(id: number, data: object): Promise<Document>;
  /** Changes a shelf, in vain. */
  refuse(id: number, data: object): Promise<Answer>;
}

/** A service with shelves: they have components with relations, unique values and components in them, and a zone. */
export function useShelves(): Shelves {
  const client = useService({ contentTypes: 'tests/api/documents/components/content-types' });
  const stored = async (id: number): Promise<Document> => {
    const found = await client.service.database.db.collection<{ _id: number }>('shelves').findOne({ _id: id });
    if (found === null) throw new Error(`There is no shelf ${id}`);
    return found;
  };
  // The client's service comes into being later.
  return Object.assign(Object.create(client) as Client, {
    stored,
    shelf: async (data: object) => stored(await client.create('shelves', data)),
    change: async (id: number, data: object) => {
      const { status, body } = await client.put(`/api/shelves/${id}`, data);
      if (status !== 200) throw new Error(`PUT /api/shelves/${id}: ${status} ${JSON.stringify(body)}`);
      return stored(id);
    },
    refuse: async (id: number, data: object) => {
      const before = JSON.stringify(await stored(id));
      const answer = await client.put(`/api/shelves/${id}`, data);
      if (JSON.stringify(await stored(id)) !== before) throw new Error('A write that was refused changed something');
      return answer;
    },
  });
}
