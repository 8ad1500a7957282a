import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { useShelves } from './shelves.js';

const { shelf, change, refuse, create, delete: remove, stored, post } = useShelves();
let things: number[] = [];

beforeAll(async () => {
  for (let index = 0; index < 4; index += 1) things.push(await create('things', { name: `Thing ${index}` }));
});

const thing = (letter: string): number => things['abcd'.indexOf(letter)] ?? Number.NaN;
const all = (letters: string): number[] => [...letters].map(thing);
/** The paths of references, with the things that they lead to. */
const refsOf = ({ _refs = [] }: Document): readonly string[] =>
  (_refs as { a: string; r: string }[])
    .map(({ a, r }) => `${a} ${'abcd'[things.indexOf(Number(r.split(':').at(-1)))] ?? r}`)
    .toSorted();

describe('a relation in an existing component', () => {
  const boxed = () => shelf({ boxes: [{ name: 'x', thing: thing('a'), things: all('abc') }, { name: 'y' }] });

  test.each([
    ['replaced by a list', { things: ['d', 'a'] }, 'da'],
    ['emptied', { things: [] }, ''],
    ['emptied with null', { things: null }, ''],
    ['set', { things: { set: ['c'] } }, 'c'],
    ['connected', { things: { connect: ['d'] } }, 'abcd'],
    ['connected again to a linked entry: it moves to the end', { things: { connect: ['a'] } }, 'bca'],
    ['connected at the start', { things: { connect: [{ id: 'd', position: { start: true } }] } }, 'dabc'],
    ['connected before another', { things: { connect: [{ id: 'd', position: { before: 'b' } }] } }, 'adbc'],
    ['connected after another', { things: { connect: [{ id: 'a', position: { after: 'b' } }] } }, 'bac'],
    ['disconnected', { things: { disconnect: ['b'] } }, 'ac'],
    ['both', { things: { connect: ['d'], disconnect: ['a', 'c'] } }, 'bd'],
  ])('is %s, together with its references', async (_, written, expected) => {
    const { _id, boxes } = await boxed();
    const [x, y] = boxes;
    const filled: object = JSON.parse(JSON.stringify(written), (_, value: unknown) =>
      typeof value === 'string' && /^[a-d]$/.test(value) ? thing(value) : value,
    );
    const after = await change(_id, { boxes: [{ id: x.id, ...filled }, { id: y.id }] });
    expect(after['boxes'][0].things ?? []).toEqual(all(expected));
    const others = [...expected].map((letter) => `boxes.${x.id}.things ${letter}`);
    expect(refsOf(after)).toEqual([`boxes.${x.id}.thing a`, ...others].toSorted());
  });

  test.each([
    ['an id', 'b', 'b'],
    ['connect', { connect: ['b'] }, 'b'],
    ['null', null, ''],
    ['disconnect', { disconnect: ['a'] }, ''],
    ['disconnect of another', { disconnect: ['b'] }, 'a'],
    ['a place, which means nothing', { connect: [{ id: 'b', position: { before: 'd' } }] }, 'b'],
  ])('to one accepts %s', async (_, written, expected) => {
    const { _id, boxes } = await boxed();
    const [x, y] = boxes;
    const filled: unknown = JSON.parse(JSON.stringify(written), (_, value: unknown) =>
      typeof value === 'string' && /^[a-d]$/.test(value) ? thing(value) : value,
    );
    const after = await change(_id, { boxes: [{ id: x.id, thing: filled }, { id: y.id }] });
    expect(after['boxes'][0].thing).toBe(expected === '' ? undefined : thing(expected));
    expect(refsOf(after).filter((one) => one.startsWith(`boxes.${x.id}.thing `))).toEqual(
      expected === '' ? [] : [`boxes.${x.id}.thing ${expected}`],
    );
  });

  test('refuses a position relative to an entry that is not linked, and stays unchanged', async () => {
    const refused = (id: number, at: object): string =>
      `There was a problem connecting relation with id ${id} at position ${JSON.stringify(at)}. ` +
      `The relation with id ${Object.values(at)[0]} needs to be connected first.`;
    const { _id, box, boxes, parts } = await shelf({
      box: { name: 'x', lid: { things: all('ab') } },
      boxes: [
        { name: 'y', things: all('abc') },
        { name: 'z', leaves: [{ things: all('d') }, { things: all('ab') }] },
      ],
      parts: [{ __component: 'shelf.leaf', things: all('ab') }],
    });
    const [y, z] = boxes;
    for (const at of [{ before: thing('d') }, { after: thing('d') }]) {
      const things = { connect: [{ id: thing('c'), position: at }] };
      for (const written of [
        { box: { id: box.id, lid: { id: box.lid.id, things } } },
        { boxes: [{ id: y.id, things }, { id: z.id }] },
        { boxes: [{ id: y.id }, { id: z.id, leaves: [{ id: z.leaves[0].id }, { id: z.leaves[1].id, things }] }] },
        { parts: [{ __component: 'shelf.leaf', id: parts[0].id, things }] },
        { box: { name: 'new', things } },
      ]) {
        const { status, body } = await refuse(_id, { label: 'changed', ...written });
        expect({ status, message: body.error.message }).toEqual({ status: 400, message: refused(thing('c'), at) });
      }
    }
    const beside = { connect: [{ id: thing('c'), position: { before: thing('d') } }] };
    const after = await change(_id, {
      boxes: [{ id: y.id }, { id: z.id, leaves: [{ id: z.leaves[0].id, things: beside }, { id: z.leaves[1].id }] }],
    });
    expect(after['boxes'][1].leaves[0].things).toEqual(all('cd'));
  });

  test('stays when other attributes are written, and moves with its component', async () => {
    const before = await boxed();
    const [x, y] = before['boxes'];
    const after = await change(before['_id'], {
      boxes: [
        { id: y.id, things: all('d') },
        { id: x.id, name: 'z' },
      ],
    });
    expect(refsOf(after)).toEqual([...refsOf(before), `boxes.${y.id}.things d`].toSorted());
  });

  test('is removed with its component', async () => {
    const { _id, boxes } = await boxed();
    const after = await change(_id, { boxes: [{ id: boxes[1].id }] });
    expect(after).not.toHaveProperty('_refs');
  });
});

test('references of nested components follow their component', async () => {
  const { _id, box } = await shelf({
    box: {
      name: 'x',
      thing: thing('a'),
      lid: { things: all('b') },
      leaves: [{ things: all('c') }, { things: all('d') }],
    },
  });
  const [first, second] = box.leaves;
  const after = await change(_id, {
    box: {
      id: box.id,
      lid: { id: box.lid.id, things: { connect: all('a') } },
      leaves: [{ id: second.id }, { text: 'new' }],
    },
  });
  expect(refsOf(after)).toEqual(
    [
      `box.${box.id}.thing a`,
      `box.${box.id}.lid.${box.lid.id}.things b`,
      `box.${box.id}.lid.${box.lid.id}.things a`,
      `box.${box.id}.leaves.${second.id}.things d`,
    ].toSorted(),
  );
  expect(JSON.stringify(after)).not.toContain(`leaves.${first.id}`);
});

test('a morph relation in a component refers to an existing entry or is empty', async () => {
  const any = (id: number): object => ({ __type: 'api::thing.thing', id });
  const { _id, box } = await shelf({ box: { name: 'x', any: any(thing('a')) } });
  expect(box.any).toEqual(any(thing('a')));
  const nowhere = await change(_id, { box: { id: box.id, any: any(999_999) } });
  expect(nowhere['box']).not.toHaveProperty('any');
  expect(nowhere).not.toHaveProperty('_refs');
  const first = await change(_id, { box: { id: box.id, any: [any(thing('a')), any(thing('b'))] } });
  expect(first['box'].any).toEqual(any(thing('a')));
  expect(refsOf(first)).toEqual([`box.${box.id}.any a`]);
  const cleared = await change(_id, { box: { id: box.id, any: null } });
  expect(cleared['box']).not.toHaveProperty('any');
  expect(cleared).not.toHaveProperty('_refs');
});

test('deleting an entry removes its references from components at every depth, and no others', async () => {
  const gone = await create('things', { name: 'Gone' });
  const { _id } = await shelf({
    box: { name: 'x', thing: gone, things: [gone, thing('a')], any: { __type: 'api::thing.thing', id: gone } },
    parts: [
      { __component: 'shelf.leaf', things: [gone] },
      { __component: 'shelf.box', name: 'y', leaves: [{ text: 'kept', things: [thing('b'), gone] }] },
    ],
  });
  await remove(`/api/things/${gone}`);
  const after = await stored(_id);
  expect(after['box']).toEqual({ id: expect.any(Number), name: 'x', size: 1, things: [thing('a')] });
  expect(after['parts']).toMatchObject([
    { __component: 'shelf.leaf' },
    { __component: 'shelf.box', leaves: [{ text: 'kept', things: [thing('b')] }] },
  ]);
  expect(after['parts'][0]).not.toHaveProperty('things');
  expect(refsOf(after)).toHaveLength(2);
});

describe('a unique attribute of a component', () => {
  const taken = (answer: { status: number; body: any }) => ({
    status: answer.status,
    errors: answer.body.error.details.errors.map(({ path, message }: { path: string[]; message: string }) => [
      path.join('.'),
      message,
    ]),
  });
  const refusal = (path: string) => ({ status: 400, errors: [[path, 'This attribute must be unique']] });

  test('refuses a value of another entry, with its path', async () => {
    await shelf({ box: { name: 'x', code: 'one' } });
    const { _id, box } = await shelf({ box: { name: 'y' } });
    expect(taken(await post('/api/shelves', { box: { name: 'y', code: 'one' } }))).toEqual(refusal('box.code'));
    expect(taken(await refuse(_id, { boxes: [{ name: 'a' }, { name: 'b', code: 'one' }] }))).toEqual(
      refusal('boxes.1.code'),
    );
    expect(taken(await refuse(_id, { box: { id: box.id, code: 'one' } }))).toEqual(refusal('box.code'));
    expect(taken(await refuse(_id, { parts: [{ __component: 'shelf.box', name: 'z', code: 'one' }] }))).toEqual(
      refusal('parts.0.code'),
    );
  });

  test('accepts the value of a component of another type', async () => {
    await shelf({ box: { name: 'x', code: 'kind', lid: { code: 'kind' } } });
    expect((await post('/api/shelves', { box: { name: 'y', lid: { code: 'kind' } } })).status).toBe(400);
  });

  test('accepts its own value again, and moves within its entry', async () => {
    const { _id, boxes } = await shelf({
      boxes: [
        { name: 'x', code: 'p' },
        { name: 'y', code: 'q' },
      ],
    });
    const [x, y] = boxes;
    const swapped = await change(_id, {
      boxes: [
        { id: x.id, code: 'q' },
        { id: y.id, code: 'p' },
      ],
    });
    expect(swapped['boxes']).toMatchObject([{ code: 'q' }, { code: 'p' }]);
    const again = await change(_id, {
      boxes: [
        { id: x.id, code: 'q' },
        { name: 'new', code: 'p' },
      ],
    });
    expect(again['boxes']).toMatchObject([{ id: x.id, code: 'q' }, { code: 'p' }]);
  });

  test.each([
    ['is cleared', (id: number, box: number) => change(id, { box: { id: box, code: null } })],
    ['is changed', (id: number, box: number) => change(id, { box: { id: box, code: 'other' } })],
    ['is removed with its component', (id: number) => change(id, { box: null })],
    ['goes with one that is replaced', (id: number) => change(id, { box: { name: 'z' } })],
    ['goes with its entry', (id: number) => remove(`/api/shelves/${id}`)],
  ])('frees its value when it %s', async (edit, free) => {
    const code = `freed: ${edit}`;
    const { _id, box } = await shelf({ box: { name: 'x', code } });
    await free(_id, box.id);
    expect((await shelf({ box: { name: 'y', code } }))['box']).toMatchObject({ code });
  });

  test('keeps its value when other attributes of the component are written', async () => {
    const { _id, box } = await shelf({ box: { name: 'x', code: 'stays', lid: { code: 'stays' } } });
    const after = await change(_id, { box: { id: box.id, name: 'y', lid: { id: box.lid.id, text: 't' } } });
    expect(after['_unique']).toHaveLength(2);
    expect((await post('/api/shelves', { box: { name: 'z', code: 'stays' } })).status).toBe(400);
  });

  test('is assigned to only one of several concurrent writers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/api/shelves', { boxes: [{ name: 'x', code: 'raced' }] })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });
});
