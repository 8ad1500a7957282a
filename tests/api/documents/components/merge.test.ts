import { describe, expect, test } from '@jest/globals';
import { useShelves } from './shelves.js';

const { shelf, change, refuse, get, post, put } = useShelves();

const foreign = (attribute: string): string =>
  `Some of the provided components in ${attribute} are not related to the entity`;

describe('a written component', () => {
  test('without an id is a new component', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', size: 5, lid: { text: 'l' } } });
    const after = await change(_id, { box: { name: 'b' } });
    expect(after['box']).toEqual({ id: expect.any(Number), name: 'b', size: 1 });
    expect(after['box'].id).not.toBe(box.id);
  });

  test('with its id is updated in the written attributes', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', size: 5, lid: { text: 'l' } } });
    expect((await change(_id, { box: { id: box.id, size: 7 } }))['box']).toEqual({ ...box, size: 7 });
    expect((await change(_id, { box: { id: String(box.id), name: 'b' } }))['box']).toEqual({
      ...box,
      name: 'b',
      size: 7,
    });
  });

  test('with only its id stays unchanged', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', leaves: [{ text: 'x' }] } });
    expect((await change(_id, { box: { id: box.id } }))['box']).toEqual(box);
  });

  test('loses attributes that are null', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', size: 5, lid: { text: 'l' }, leaves: [{ text: 'x' }] } });
    const after = await change(_id, { box: { id: box.id, size: null, lid: null, leaves: [] } });
    expect(after['box']).toEqual({ id: box.id, name: 'a' });
  });

  test('gets no defaults when it is updated', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', size: null } });
    expect(box).not.toHaveProperty('size');
    expect((await change(_id, { box: { id: box.id, name: 'b' } }))['box']).toEqual({ id: box.id, name: 'b' });
  });

  test('is removed by null, and other attributes stay', async () => {
    const { _id } = await shelf({ label: 'kept', box: { name: 'a' } });
    const after = await change(_id, { box: null });
    expect(after).not.toHaveProperty('box');
    expect(after).toHaveProperty('label', 'kept');
  });

  test('nested in another is updated, replaced or cleared by the same rules', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', lid: { text: 'l', code: 'lid-1' } } });
    const changed = await change(_id, { box: { id: box.id, lid: { id: box.lid.id, text: 'm' } } });
    expect(changed['box'].lid).toEqual({ id: box.lid.id, text: 'm', code: 'lid-1' });
    const replaced = await change(_id, { box: { id: box.id, lid: { text: 'n' } } });
    expect(replaced['box'].lid).toEqual({ id: expect.any(Number), text: 'n' });
    expect(replaced['box'].lid.id).not.toBe(box.lid.id);
  });

  test('nested in a new component is new, whatever its id', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', lid: { text: 'l' } } });
    const after = await change(_id, { box: { name: 'b', lid: { id: box.lid.id, text: 'm' } } });
    expect(after['box'].lid.id).not.toBe(box.lid.id);
  });

  test('of a new entry is new, whatever its id', async () => {
    const { box } = await shelf({ box: { name: 'a' } });
    const other = await shelf({ box: { id: box.id, name: 'b' }, boxes: [{ id: box.id, name: 'c' }] });
    expect(new Set([box.id, other['box'].id, other['boxes'][0].id]).size).toBe(3);
  });

  test("with the id of another entry's or of a replaced component is refused", async () => {
    const { box } = await shelf({ box: { name: 'other' } });
    const own = await shelf({ label: 'own', box: { name: 'a', lid: { text: 'l' } } });
    await change(own['_id'], { box: { name: 'b' } });
    for (const id of [box.id, own['box'].id, 999_999, 'abc', 0, -1, 1.5, null]) {
      const { status, body } = await refuse(own['_id'], { label: 'changed', box: { id, name: 'x' } });
      expect([id, status, body.error.message]).toEqual([id, 400, foreign('box')]);
    }
  });

  test('nested in another is refused with the id of a different component', async () => {
    const { _id, box } = await shelf({ box: { name: 'a', lid: { text: 'l' } } });
    const { status, body } = await refuse(_id, { box: { id: box.id, lid: { id: box.id, text: 'x' } } });
    expect({ status, message: body.error.message }).toEqual({ status: 400, message: foreign('box') });
  });

  test('with an id is refused where no component is stored', async () => {
    const { _id } = await shelf({ label: 'empty' });
    expect((await refuse(_id, { box: { id: 1, name: 'x' } })).status).toBe(400);
  });
});

describe('a written list of components', () => {
  const boxes = async () => shelf({ boxes: ['a', 'b', 'c'].map((name) => ({ name, size: 5 })) });

  test('contains the written components in this order, existing and new ones', async () => {
    const { _id, boxes: before } = await boxes();
    const [a, b, c] = before;
    const after = await change(_id, { boxes: [{ id: c.id }, { name: 'd' }, { id: a.id, size: 9 }] });
    expect(after['boxes']).toEqual([c, { id: expect.any(Number), name: 'd', size: 1 }, { ...a, size: 9 }]);
    expect(after['boxes'].map(({ id }: { id: number }) => id)).not.toContain(b.id);
  });

  test('contains a component that is written twice once, at its first position with the last values', async () => {
    const { _id, boxes: before } = await shelf({
      boxes: [
        { name: 'a', leaves: [{ text: 'x' }] },
        { name: 'b', size: 5 },
      ],
    });
    const [a, b] = before;
    const leaf = { id: a.leaves[0].id };
    const after = await change(_id, {
      boxes: [
        { id: b.id, name: 'c' },
        { name: 'new' },
        { id: a.id, leaves: [{ ...leaf, text: 'y' }, leaf, { text: 'new' }, { ...leaf, code: 'leaf-twice' }] },
        { id: String(b.id), name: 'd' },
      ],
    });
    expect(after['boxes']).toEqual([
      { ...b, name: 'd' },
      { id: expect.any(Number), name: 'new', size: 1 },
      {
        ...a,
        leaves: [
          { ...leaf, text: 'y', code: 'leaf-twice' },
          { id: expect.any(Number), text: 'new' },
        ],
      },
    ]);
  });

  test('of a new entry contains as many as are written, whatever their ids', async () => {
    const { boxes: made } = await shelf({
      boxes: [
        { id: 7, name: 'a' },
        { id: 7, name: 'b' },
        { id: null, name: 'c' },
      ],
    });
    expect(made.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
    expect(new Set(made.map(({ id }: { id: number }) => id)).size).toBe(3);
  });

  test('without ids contains new components only', async () => {
    const { _id, boxes: before } = await boxes();
    const after = await change(_id, { boxes: [{ name: 'a' }, { name: 'b' }] });
    const ids = after['boxes'].map(({ id }: { id: number }) => id);
    for (const { id } of before) expect(ids).not.toContain(id);
  });

  test('is emptied by an empty list', async () => {
    const { _id } = await boxes();
    expect(await change(_id, { boxes: [] })).not.toHaveProperty('boxes');
  });

  test('refuses ids of other entries and stays unchanged', async () => {
    const { boxes: others } = await boxes();
    const { _id, boxes: own } = await boxes();
    for (const id of [others[0].id, 999_999, null]) {
      const written = [
        { id: own[0].id, name: 'changed' },
        { id, name: 'x' },
      ];
      const { status, body } = await refuse(_id, { label: 'changed', boxes: written });
      expect({ status, message: body.error.message, name: body.error.name }).toEqual({
        status: 400,
        message: foreign('boxes'),
        name: 'ApplicationError',
      });
    }
  });

  test('refuses an id of another list of the same entry', async () => {
    const { _id, box, boxes: own } = await shelf({ box: { name: 'a' }, boxes: [{ name: 'b' }] });
    expect((await refuse(_id, { boxes: [{ id: box.id }] })).status).toBe(400);
    expect((await refuse(_id, { box: { id: own[0].id } })).status).toBe(400);
  });

  test('inside a component follows the same rules', async () => {
    const { _id, boxes: before } = await shelf({
      boxes: [
        { name: 'a', leaves: [{ text: 'x' }, { text: 'y' }] },
        { name: 'b', leaves: [{ text: 'z' }] },
      ],
    });
    const [a, b] = before;
    const leaves = [{ id: a.leaves[1].id, text: 'Y' }, { text: 'new' }, { id: a.leaves[0].id }];
    const after = await change(_id, { boxes: [{ id: b.id }, { id: a.id, leaves }] });
    expect(after['boxes']).toEqual([
      b,
      {
        ...a,
        leaves: [
          { id: a.leaves[1].id, text: 'Y' },
          { id: expect.any(Number), text: 'new' },
          { id: a.leaves[0].id, text: 'x' },
        ],
      },
    ]);
    const moved = { boxes: [{ id: a.id, leaves: [{ id: b.leaves[0].id }] }, { id: b.id }] };
    expect((await refuse(_id, moved)).status).toBe(400);
  });
});

describe('a written dynamic zone', () => {
  const zone = async () =>
    shelf({
      parts: [
        { __component: 'shelf.box', name: 'a', lid: { text: 'l' } },
        { __component: 'shelf.leaf', text: 't' },
      ],
    });

  test('contains the written components in this order', async () => {
    const { _id, parts } = await zone();
    const [box, leaf] = parts;
    const after = await change(_id, {
      parts: [
        { __component: 'shelf.leaf', id: leaf.id, code: 'zone-1' },
        { __component: 'shelf.leaf', text: 'new' },
        { __component: 'shelf.box', id: box.id, lid: { id: box.lid.id, text: 'm' } },
      ],
    });
    expect(after['parts']).toEqual([
      { ...leaf, code: 'zone-1' },
      { __component: 'shelf.leaf', id: expect.any(Number), text: 'new' },
      { ...box, lid: { ...box.lid, text: 'm' } },
    ]);
  });

  test('contains a component that is written twice once, and two of different types with the same id', async () => {
    const { _id, parts } = await zone();
    const [box, leaf] = parts;
    const after = await change(_id, {
      parts: [
        { __component: 'shelf.leaf', id: leaf.id, text: 'u' },
        { __component: 'shelf.box', id: box.id, name: 'b' },
        { __component: 'shelf.leaf', id: leaf.id, code: 'zone-twice' },
      ],
    });
    expect(after['parts']).toEqual([
      { ...leaf, text: 'u', code: 'zone-twice' },
      { ...box, name: 'b' },
    ]);
  });

  test('refuses an id with another component type, and ids of other entries', async () => {
    const { parts: others } = await zone();
    const { _id, parts } = await zone();
    for (const part of [
      { __component: 'shelf.leaf', id: parts[0].id, text: 'x' },
      { __component: 'shelf.leaf', id: others[1].id },
      { __component: 'shelf.box', id: 999_999, name: 'x' },
      { __component: 'shelf.box', id: null, name: 'x' },
    ]) {
      const { status, body } = await refuse(_id, { label: 'changed', parts: [part] });
      expect({ status, message: body.error.message }).toEqual({ status: 400, message: foreign('parts') });
    }
  });

  test('refuses a component that it does not list', async () => {
    const { _id } = await zone();
    const { status, body } = await refuse(_id, { parts: [{ __component: 'shelf.nope', text: 'x' }] });
    expect(status).toBe(400);
    expect(body.error.details.errors[0].path).toEqual(['parts', '0', '__component']);
  });
});

test('the response to a write contains the components as stored', async () => {
  const { body } = await post('/api/shelves?populate[boxes][populate]=lid', {
    boxes: [{ name: 'a', lid: { text: 'l' } }, { name: 'b' }],
  });
  const [a, b] = body.data.attributes.boxes;
  const path = `/api/shelves/${body.data.id}?populate[boxes][populate]=lid`;
  const { body: after } = await put(path, { boxes: [{ id: b.id }, { id: a.id, size: 3 }] });
  expect(after.data.attributes.boxes).toEqual([b, { ...a, size: 3 }]);
  expect((await get(path)).body.data.attributes.boxes).toEqual([b, { ...a, size: 3 }]);
});

test('concurrent changes of different values of one component are both kept', async () => {
  const { _id, boxes } = await shelf({ boxes: [{ name: 'a', lid: { text: 'l' } }, { name: 'b' }] });
  const [a, b] = boxes;
  const rounds = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all([
    ...rounds.map((round) => change(_id, { boxes: [{ id: a.id, size: round }, { id: b.id }] })),
    change(_id, { boxes: [{ id: a.id }, { id: b.id, name: 'changed' }] }),
    change(_id, { boxes: [{ id: a.id, lid: { id: a.lid.id, code: 'raced' } }, { id: b.id }] }),
  ]);
  const after = (await change(_id, { label: 'done' }))['boxes'];
  expect(after[0]).toMatchObject({ id: a.id, name: 'a', lid: { text: 'l', code: 'raced' } });
  expect(rounds).toContain(after[0].size);
  expect(after[1]).toEqual({ ...b, name: 'changed' });
});
