import { expect, test } from '@jest/globals';
import { useShelves } from './shelves.js';

const { shelf, refuse, post, create } = useShelves();

const pathsOf = (body: { error: { details: { errors: readonly { path: readonly string[] }[] } } }): readonly string[] =>
  body.error.details.errors.map(({ path }) => path.join('.'));

const taken = {
  box: { name: 'a', code: 'c1', lid: { code: 'c2' } },
  boxes: [
    { name: 'b', code: 'c3' },
    { name: 'free', code: 'free' },
    { name: 'c', leaves: [{ text: 'x' }, { code: 'c4' }] },
  ],
  parts: [{ __component: 'shelf.leaf', code: 'c5' }],
};
const free = {
  box: { name: 'a' },
  boxes: [{ name: 'b', code: 'own' }, { name: 'b' }, { name: 'b', leaves: [{ code: 'own' }] }],
};

test('all taken unique values in components are reported together, with their paths', async () => {
  await create('shelves', { ...taken, boxes: taken.boxes.filter(({ code }) => code !== 'free') });
  const paths = ['boxes.0.code', 'boxes.2.leaves.1.code', 'box.code', 'box.lid.code', 'parts.0.code'];
  const { status, body } = await post('/api/shelves', taken);
  expect([status, pathsOf(body)]).toEqual([400, paths]);
  const wrong = await post('/api/shelves', { ...taken, label: 5 });
  expect(pathsOf(wrong.body)).toEqual(['label', ...paths]);
  const { _id, box } = await shelf(free);
  const changed = await refuse(_id, {
    label: 'x',
    box: { id: box.id, code: 'c1' },
    boxes: [{ name: 'z', code: 'own' }],
  });
  expect(pathsOf(changed.body)).toEqual(['box.code']);
});
