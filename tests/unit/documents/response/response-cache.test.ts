import { expect, test } from '@jest/globals';
import { tagOf } from '../../../../src/documents/response/response-body.js';
import { createResponseCache, type ResponseBody } from '../../../../src/documents/response/response-cache.js';
import type { Sources } from '../../../../src/mongo/cache/versioned-cache.js';
import { versionsOf } from '../../../support/versions.js';

const MEGABYTE = 2 ** 20;
const dependencies = new Map([['article', new Set(['id'])]]);
const contents = { shown: new Map(), joins: [] };

/** A cache, and how often it has read. */
function openCache(bytes = MEGABYTE) {
  const cache = createResponseCache(bytes);
  const reads: string[] = [];
  const get = (key: string, body: ResponseBody = key, version = '1') =>
    cache.get({ key, versions: versionsOf({ article: version }), dependencies, contents }, 'test', async () => {
      reads.push(key);
      return { body };
    });
  return { get, reads };
}

test('a body is held from its second request on, with its tag', async () => {
  const { get, reads } = openCache();
  const first = await get('é', 'née');
  expect(first).toMatchObject({ body: 'née' });
  const held = { body: Buffer.from('née'), tag: tagOf('née') };
  expect(await get('é', 'née')).toMatchObject(held);
  expect(await get('é', 'née')).toMatchObject(held);
  expect(reads).toHaveLength(2);
});

test('requests that share a response share its tags, which are determined when one needs them', async () => {
  const made: Sources[] = [];
  const cache = createResponseCache(MEGABYTE, (sources) => {
    made.push(sources);
    return ['tag'];
  });
  const key = { key: 'article', versions: versionsOf({ article: '1' }), dependencies, contents };
  const get = () => cache.get(key, 'test', async () => ({ body: 'body' }));
  const together = await Promise.all([get(), get()]);
  expect(made).toHaveLength(0);
  expect(together.map(({ sharedTags }) => sharedTags?.())).toEqual([['tag'], ['tag']]);
  expect(made).toHaveLength(1);
  for (let round = 0; round < 2; round += 1) expect((await get()).sharedTags?.()).toEqual(['tag']);
  expect(made).toHaveLength(2);
});

test('a body in chunks is cached completely, with the tag of the complete body', async () => {
  const { get } = openCache();
  for (let round = 0; round < 2; round += 1) await get('long', ['[1,', '"é"', ']']);
  expect(await get('long')).toMatchObject({ body: Buffer.from('[1,"é"]'), tag: tagOf('[1,"é"]') });
});

test('a new version is read once, and held at once', async () => {
  const { get, reads } = openCache();
  for (const version of ['1', '1', '1', '2', '2']) await get('list', `body ${version}`, version);
  expect(reads).toHaveLength(3);
  expect(String((await get('list', '', '2')).body)).toBe('body 2');
});

test('a body whose predecessor was invalidated unused is held from its second request on', async () => {
  const { get, reads } = openCache();
  const bodies: (string | Uint8Array)[] = [];
  for (const version of ['1', '2', '3', '4', '4', '4', '5', '5'])
    bodies.push((await get('list', 'body', version)).body as string | Uint8Array);
  const held = bodies.map((body) => body instanceof Uint8Array);
  expect(held).toEqual([false, true, false, false, true, true, true, true]);
  expect(reads).toHaveLength(6);
});

test('requests that are not repeated evict nothing', async () => {
  const { get, reads } = openCache();
  const body = 'x'.repeat(50_000);
  const hot = ['a', 'b', 'c', 'd'];
  for (const key of [...hot, ...hot]) await get(key, body);
  for (let count = 0; count < 200; count += 1) await get(`once ${count}`, body);
  const before = reads.length;
  for (const key of hot) await get(key, body);
  expect(reads).toHaveLength(before);
});

test('each form of a response is held for itself', async () => {
  const cache = createResponseCache(MEGABYTE);
  const key = { key: 'article', versions: versionsOf({ article: '1' }), dependencies, contents };
  const get = async (name: string) => String((await cache.get(key, name, async () => ({ body: name }))).body);
  for (const name of ['rest', 'rest', 'graphql']) expect(await get(name)).toBe(name);
});

test('a body of more than an eighth of the cache is not held', async () => {
  const { get, reads } = openCache();
  for (let round = 0; round < 3; round += 1) await get('large', 'x'.repeat(MEGABYTE / 8));
  expect(reads).toHaveLength(3);
});

test('requests that wait for the same response share one read, but not one that fails', async () => {
  const cache = createResponseCache(MEGABYTE);
  const key = { key: 'list', versions: versionsOf({ article: '1' }), dependencies, contents };
  const reads: PromiseWithReject[] = [];
  const get = () =>
    cache.get(key, 'test', async () => {
      const read = deferred();
      reads.push(read);
      return { body: await read.promise };
    });
  const [first, second, third] = [get(), get(), get()];
  await new Promise(setImmediate);
  expect(reads).toHaveLength(1);
  reads[0]?.reject(new Error('the client has gone away'));
  await expect(first).rejects.toThrow('gone away');
  await new Promise(setImmediate);
  expect(reads).toHaveLength(3);
  for (const { resolve } of reads.slice(1)) resolve('body');
  expect((await Promise.all([second, third])).map(({ body }) => String(body))).toEqual(['body', 'body']);
});

test('a request after a write does not share a read that began before it', async () => {
  const cache = createResponseCache(MEGABYTE);
  const get = (version: string, body: Promise<string>) =>
    cache.get(
      { key: 'list', versions: versionsOf({ article: version }), dependencies, contents },
      'test',
      async () => ({
        body: await body,
      }),
    );
  const slow = deferred();
  const responses = [get('1', slow.promise), get('2', Promise.resolve('new'))];
  slow.resolve('old');
  expect((await Promise.all(responses)).map(({ body }) => String(body))).toEqual(['old', 'new']);
});

interface PromiseWithReject {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

function deferred(): PromiseWithReject {
  let settle: Omit<PromiseWithReject, 'promise'> | undefined;
  const promise = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('a promise calls its function at once');
  return { promise, ...settle };
}
