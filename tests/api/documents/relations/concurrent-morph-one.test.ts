import { expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany } from './related.js';

const client = useService({ contentTypes: 'tests/api/documents/relations/morph-types' });

test('a morphToOne relation keeps one of two concurrent targets', async () => {
  const remarks = await createMany(client, 'remarks', 2, (index) => ({ text: `Remark ${index}` }));
  const held: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const id = await client.create('people', { name: `Person ${round}` });
    await Promise.all(remarks.map((remark) => client.put(`/api/people/${id}`, { remark })));
    const reference = { _refs: { $elemMatch: { a: 'about', r: `api::person.person:${id}` } } };
    held.push(await client.service.database.db.collection('remark').countDocuments(reference));
  }
  expect(held).toEqual(held.map(() => 1));
});

test('a link keeps the rank of a later write that made it before', async () => {
  const [remark = 0] = await createMany(client, 'remarks', 1, () => ({ text: 'Remark' }));
  const id = await client.create('people', { name: 'Person' });
  await client.put(`/api/people/${id}`, { remark });
  const stored = client.service.database.db.collection<{ _id: number; _refs: object[] }>('remark');
  const later = [{ a: 'about', r: `api::person.person:${id}`, n: 1000 }];
  await stored.updateOne({ _id: remark }, { $set: { _refs: later } });
  const about = { __type: 'api::person.person', id };
  const { status } = await client.put(`/api/remarks/${remark}`, { about, text: 'Edited' });
  expect(status).toBe(200);
  expect(await stored.findOne({ _id: remark })).toMatchObject({ _refs: later, about, text: 'Edited' });
});
