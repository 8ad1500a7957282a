import { expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany } from './related.js';

const client = useService({ contentTypes: 'tests/api/documents/relations/morph-types' });

test('a morphToOne relation keeps one of two concurrent targets', async () => {
  const remarks = await createMany(client, 'remarks', 2, (index) => ({ text: `Remark ${index}` }));
  const held: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const id = await client.create('people', { name: `Person ${round}` });
    await Promise.all(remarks.map((remark) => client.put(`/api/people/${id}`, { remark })));
    const reference = { _refs: { $elemMatch: { a: 'about', r: `api::person.person:${id}` } } };
    held.push(await client.service.database.db.collection('remark').countDocuments(reference));
  }
  expect(held).toEqual(held.map(() => 1));
}, 60_000);
