import { describe, expect, test } from '@jest/globals';
import { print } from '../../../../src/documents/input/validate/messages.js';
import { wrongIn } from './validator.js';

/** Counts how many of its elements are read. */
function countedList(length: number): { readonly list: unknown[]; readonly read: () => number } {
  let read = 0;
  const list = new Proxy(
    Array.from({ length }, () => 0),
    {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) read += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { list, read: () => read };
}

describe('a value in a message', () => {
  test('of up to 200 characters is printed', () => {
    expect(print('x'.repeat(198))).toBe(`"${'x'.repeat(198)}"`);
    expect(print({ a: [1, { b: 'x' }] })).toBe('{\n  "a": [\n    "1",\n    {\n      "b": "\\"x\\""\n    }\n  ]\n}');
  });

  test('that is longer is cut, and not read to its end', () => {
    const { list, read } = countedList(100_000);
    const text = print(list);
    expect(text).toBe(`${JSON.stringify(Array(1000).fill('0'), undefined, 2).slice(0, 200)}…`);
    expect(read()).toBeLessThan(250);
  });

  test.each([
    ['a long string', 'x'.repeat(100_000)],
    ['a long name', { ['x'.repeat(100_000)]: 1 }],
    ['many names', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, index]))],
    ['many levels', Array.from({ length: 1000 }).reduce<unknown>((inner) => [inner], 1)],
    ['many empty lists', Array.from({ length: 1000 }, () => [])],
    ['half a surrogate pair at the end', '😀'.repeat(200)],
  ])('takes at most 201 characters: %s', (_, value) => {
    expect(print(value).length).toBeLessThanOrEqual(201);
    expect(print(value)).toMatch(/…$/);
  });
});

describe('a list', () => {
  test.each([
    ['links', 0],
    ['links', {}],
    ['blocks', 0],
    ['blocks', { __component: 'a.b' }],
    ['blocks', { __component: 'blocks.text' }],
  ])('%s of elements that are all wrong is not checked to its end: %j', async (name, element) => {
    const data = { title: 'x', [name]: Array.from({ length: 10_000 }, () => element) };
    const { length } = await wrongIn('create', 'article', data);
    expect(length).toBeGreaterThanOrEqual(500);
    expect(length).toBeLessThan(1100);
  });

  test('with less than a thousand errors is', async () => {
    const links = Array.from({ length: 900 }, () => ({}));
    expect(await wrongIn('create', 'article', { title: 'x', links })).toHaveLength(901);
  });
});
