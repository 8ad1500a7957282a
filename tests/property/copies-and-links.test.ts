import { afterAll, beforeAll, expect, test } from '@jest/globals';
import lodash from 'lodash';
import type { Db } from 'mongodb';
import { openStore } from '../../src/mongo/store.js';
import { dyingDatabase } from '../support/dying.js';
import { interceptCommands } from '../support/intercept-commands.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { after, afterBoth, textOf, type Post, type Values, type World, type Write } from './copy-model.js';
import { openPosts, openService, otherSides, outcomeOf, type Service } from './post-service.js';

const RUNS = Number(process.env['RUNS'] ?? scaled(3, 60));
const WRITES = 50;
const PAIRS = Number(process.env['PAIRS'] ?? scaled(45, 2000));
const CRASHES = Number(process.env['CRASHES'] ?? scaled(30, 1000));

let posts: Awaited<ReturnType<typeof openPosts>>;
beforeAll(async () => {
  posts = await openPosts('copies-and-links');
});
afterAll(() => posts.close());

const [POSTS, TAGS] = [
  [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4],
] as const;
/** 1, 2 and 3 are localizations of each other, 4 and 5 too. */
const GROUPS: readonly (readonly number[])[] = [[1, 2, 3], [4, 5], [6]];
const groupOf = (id: number): readonly number[] => GROUPS.find((group) => group.includes(id)) ?? [];

/** Posts, of which 1, 2, 4 and 6 are published, and tags. */
const initial: World = {
  posts: new Map(
    POSTS.map((id): readonly [number, Post] => [
      id,
      { group: groupOf(id), isLive: ![3, 5].includes(id), values: { title: `t${id}`, rank: 1 }, copy: undefined },
    ]),
  ),
  tags: new Set(TAGS),
};

/**
 * @param ids of the posts that it names
 * @param written the attributes that its data can have; default: all
 */
function randomWrite(random: () => number, ids: readonly number[] = POSTS, written?: readonly string[]): Write {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (list: readonly number[]): readonly number[] =>
    list.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
  const id = oneOf(ids);
  const one = (list: readonly number[]): readonly number[] => (random() < 0.2 ? [] : [oneOf(list)]);
  const values = (): Values =>
    lodash.pickBy(
      {
        title: oneOf(['a', 'b']),
        rank: oneOf([1, 2, 3]),
        card: one([1, 2]),
        seal: one([1, 2]),
        author: one(TAGS),
        next: one(ids),
        tags: some(TAGS),
        notes: some(TAGS),
        about: one(TAGS),
        topics: some(TAGS),
      } satisfies Values,
      (_, name) => (written === undefined ? random() < 0.3 : written.includes(name) && random() < 0.7),
    );
  const side = oneOf(Object.keys(otherSides) as (keyof typeof otherSides)[]);
  const data = values();
  return oneOf<Write>([
    ...Array.from({ length: 5 }, () => ({ kind: 'save', id, data }) as const),
    { kind: 'publish', id, data: {} },
    // Data of a publication may take back what the copy wanted.
    ...Array.from({ length: 2 }, () => ({ kind: 'publish', id, data }) as const),
    { kind: 'put', id, data },
    { kind: 'put', id, data: random() < 0.5 ? data : {}, isLive: false },
    { kind: 'put', id, data: {}, isLive: true },
    { kind: 'discard', id },
    ...Array.from({ length: 2 }, () => ({
      kind: oneOf(['connect', 'disconnect', 'set'] as const),
      relation: side,
      target: side === 'next' ? oneOf(ids) : oneOf(TAGS),
      posts: some(ids),
    })),
    ...(random() < 0.3 ? [{ kind: oneOf(['delete', 'delete tag'] as const), id } as const] : []),
  ]);
}

const describe = (write: Write): string => JSON.stringify(write);

/** A failure shows what led to it. */
function expectOneOf(found: string, expected: readonly string[], trace: readonly string[]): void {
  if (expected.includes(found)) return;
  throw new Error(
    [`seed ${seed}`, ...trace, 'found', found, ...expected.flatMap((one) => ['expected', one])].join('\n'),
  );
}

/** Executes random writes one after the other, and compares what is stored with the model after each. */
async function walk(service: Service, writes: Iterable<Write>, trace: string[]): Promise<World> {
  let world = initial;
  for (const write of writes) {
    const expected = after(world, write);
    const outcome = await outcomeOf(service, write);
    trace.push(`${describe(write)}: ${outcome}`);
    world = expected ?? world;
    expectOneOf(
      `${outcome}\n${textOf(await posts.read())}`,
      [`${expected === undefined ? 'refused' : 'done'}\n${textOf(world)}`],
      trace,
    );
  }
  return world;
}

/** In which links from the other side were lost; one-to-one links have histories of their own. */
const stories: Readonly<Record<string, readonly Write[]>> = {
  'a link from the other side of a list that a copy changes': [
    { kind: 'save', id: 1, data: { tags: [2] } },
    { kind: 'connect', relation: 'tags', target: 3, posts: [1] },
    { kind: 'publish', id: 1, data: {} },
  ],
  'a link that the other side removes from a list that a copy changes': [
    { kind: 'put', id: 1, data: { tags: [1, 2] } },
    { kind: 'save', id: 1, data: { tags: [1, 2, 3] } },
    { kind: 'set', relation: 'tags', target: 1, posts: [] },
    { kind: 'publish', id: 1, data: {} },
  ],
};

test.each(Object.entries(stories))('%s', async (_, writes) => {
  await posts.begin(initial);
  const trace: string[] = [];
  await walk(openService(posts.db), writes, trace);
  expect(await posts.violations()).toEqual([]);
});

test(
  'writes of every kind do to entries, copies and localizations what the model says',
  async () => {
    for (let run = 0; run < RUNS; run += 1) {
      await posts.begin(initial);
      const trace: string[] = [];
      const random = randomNumbers(seed * 1000 + run);
      // Few, so that they meet; and in most runs few attributes, too.
      const ids = [...POSTS].toSorted(() => random() - 0.5).slice(0, 3);
      const written = run % 3 === 2 ? undefined : ['rank', run % 2 === 0 ? 'card' : 'next'];
      const writes = Array.from({ length: WRITES }, () => randomWrite(random, ids, written));
      await walk(openService(posts.db), writes, trace);
      expect({ run, found: await posts.violations() }).toEqual({ run, found: [] });
    }
  },
  minutes(5),
);

/** Two posts that want one target, each in its copy or as a draft, and a write of each that may give it to them. */
function meeting(random: () => number): {
  readonly prelude: readonly Write[];
  readonly writes: readonly [Write, Write];
} {
  const [first = 1, second = 2] = [...POSTS].toSorted(() => random() - 0.5);
  const ids = [first, second];
  const wanted = random() < 0.5 ? { card: [1] } : { next: [first] };
  const some = (): Values => (random() < 0.3 ? { rank: 2, tags: [1], ...wanted } : wanted);
  return {
    prelude: [
      ...[first, second].map((id): Write => ({ kind: 'save', id, data: some() })),
      ...(random() < 0.3 ? [randomWrite(random, POSTS)] : []),
    ],
    writes: [first, second].map((id) =>
      random() < 0.5
        ? randomWrite(random, ids)
        : { kind: random() < 0.7 ? 'publish' : 'put', id, data: {}, ...(random() < 0.5 && { isLive: false }) },
    ) as unknown as [Write, Write],
  };
}

/**
 * The database, where commands wait for a moment that differs, so that those of two processes come in different orders.
 */
const shuffled = (random: () => number): Db =>
  interceptCommands(posts.db, async (send) => {
    for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) await new Promise(setImmediate);
    return send();
  });

test(
  'of two writers at once, the second one finds what the first has done',
  async () => {
    const random = randomNumbers(seed + 1);
    let met = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await posts.begin(initial);
      const trace: string[] = [];
      const { prelude, writes } = meeting(random);
      const world = await walk(openService(posts.db), prelude, trace);
      const services = [openService(shuffled(random), false), openService(shuffled(random), false)] as const;
      const outcomes = await Promise.all(writes.map((write, index) => outcomeOf(services[index] as Service, write)));
      trace.push(...writes.map((write, index) => `at once: ${describe(write)}: ${outcomes[index]}`));
      const found = textOf(await posts.read());
      const orders = afterBoth(world, writes, outcomes).map(textOf);
      if (new Set(orders).size > 1) met += 1;
      expectOneOf(found, orders, trace);
      expectOneOf((await posts.violations()).join('\n'), [''], trace);
      for (const { store } of services) store.transactions.close();
    }
    expect(met).toBeGreaterThan(0);
  },
  minutes(5),
);

test(
  'a crash at any command leaves everything as it was, or as the write makes it',
  async () => {
    const random = randomNumbers(seed + 2);
    let [crashes, finished] = [0, 0];
    while (crashes < CRASHES) {
      await posts.begin(initial);
      const trace: string[] = [];
      const { prelude, writes } = meeting(random);
      const world = await walk(openService(posts.db), prelude, trace);
      const [write] = writes;
      const expected = after(world, write);
      if (expected === undefined) continue;
      const [commands, replies] = [1 + Math.floor(random() * 20), random() < 0.5];
      trace.push(`${describe(write)}, dead after ${commands} commands${replies ? '' : ' without a reply'}`);
      const dying = dyingDatabase(posts.db, commands, replies);
      const service = openService(dying.db);
      await outcomeOf(service, write);
      service.store.transactions.close();
      if (!dying.isDead()) continue;
      crashes += 1;
      await openStore(posts.db, { timeout: 15_000, exclusive: true }).sweep(true);
      const found = textOf(await posts.read());
      if (found !== textOf(world)) finished += 1;
      expectOneOf(found, [textOf(world), textOf(expected)], trace);
    }
    expect(finished).toBeGreaterThan(0);
    expect(finished).toBeLessThan(CRASHES);
  },
  minutes(5),
);
