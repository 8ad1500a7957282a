import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import { runPreempted } from '../support/preempted.js';
import { minutes, scaled } from '../support/scaled.js';
import { after, afterBoth, textOf, type Post, type Values, type World, type Write } from './copy-model.js';
import { openPosts, openService, outcomeOf } from './post-service.js';

/**
 * All short histories of a one-to-one link that a working copy wants: a random walk comes across one of them by chance.
 */
let posts: Awaited<ReturnType<typeof openPosts>>;
beforeAll(async () => {
  posts = await openPosts('one-to-one-copies');
});
afterAll(() => posts.close());

/** A link to a tag, and one to another post. */
const names = ['card', 'next'] as const;
type Name = (typeof names)[number];

/**
 * Of each history: two published localizations, and another post that is published; drafts and tags are the targets of
 * links.
 */
const [ORIGINAL, TRANSLATION, OTHER, TARGETS, IDS] = [1, 2, 3, 3, 10] as const;
const idIn = (history: number, post: number): number => history * IDS + post;
const targetIn = (history: number, name: Name, target: number): number =>
  idIn(history, name === 'next' ? TARGETS + target : target);

function worldOf(history: number): World {
  const group = [ORIGINAL, TRANSLATION].map((post) => idIn(history, post));
  const postOf = (post: number): readonly [number, Post] => {
    const [id, isAlone] = [idIn(history, post), post >= OTHER];
    const values = { title: `t${post}`, rank: 1 };
    return [id, { group: isAlone ? [id] : group, isLive: post <= OTHER, values, copy: undefined }];
  };
  return {
    posts: new Map([1, 2, 3, 4, 5].map(postOf)),
    tags: new Set([1, 2].map((tag) => idIn(history, tag))),
  };
}

/** Stores the world of each history beside the others. */
const begin = (worlds: readonly World[]): Promise<void> =>
  posts.begin({
    posts: new Map(worlds.flatMap((world) => [...world.posts])),
    tags: new Set(worlds.flatMap((world) => [...world.tags])),
  });

const postsOf = (world: World): string => textOf({ ...world, tags: new Set() });

/** What is stored of a world. */
const within = (stored: World, { posts: own }: World): World => ({
  ...stored,
  posts: new Map([...stored.posts].filter(([id]) => own.has(id))),
});

/** What a write says of the link: nothing, none, or one of the targets. */
const links = [undefined, [], [1], [2]] as const;
type Data = (history: number, name: Name) => Values;
const data =
  (link: (typeof links)[number], rank?: number): Data =>
  (history, name) => ({
    ...(link !== undefined && { [name]: link.map((target) => targetIn(history, name, target)) }),
    ...(rank !== undefined && { rank }),
  });

type Step = (history: number, name: Name) => Write;
const saves = links.flatMap((link) => [data(link), data(link, 5)]).slice(1);
const endings = [
  ...links.flatMap((link): readonly Step[] => [
    (history, name) => ({ kind: 'publish', id: idIn(history, ORIGINAL), data: data(link)(history, name) }),
    (history, name) => ({ kind: 'put', id: idIn(history, ORIGINAL), data: data(link)(history, name) }),
    (history, name) => ({ kind: 'put', id: idIn(history, ORIGINAL), data: data(link)(history, name), isLive: false }),
  ]),
  (history: number): Write => ({ kind: 'discard', id: idIn(history, ORIGINAL) }),
];

/**
 * Another post has the first target; a copy is saved, the entry is written, and what is left of the copy is published.
 */
const histories = names
  .slice(0, scaled(1, names.length))
  .flatMap((name) =>
    saves.flatMap((save) =>
      endings.map((ending) => (history: number): readonly Write[] => [
        { kind: 'put', id: idIn(history, OTHER), data: data([1])(history, name) },
        { kind: 'save', id: idIn(history, ORIGINAL), data: save(history, name) },
        ending(history, name),
        { kind: 'publish', id: idIn(history, ORIGINAL), data: {} },
      ]),
    ),
  );

test(
  'whatever a copy wants and a write says: the link is where the last of them that counts has put it',
  async () => {
    const stories = histories.map((writesOf, history) => ({ world: worldOf(history), writes: writesOf(history) }));
    await begin(stories.map(({ world }) => world));
    const service = openService(posts.db);
    for (const step of [0, 1, 2, 3]) {
      const outcomes = await pLimit(8).map(stories, ({ writes }) => outcomeOf(service, writes[step] as Write));
      const stored = await posts.read();
      for (const [index, story] of stories.entries()) {
        const expected = after(story.world, story.writes[step] as Write);
        const about = { writes: story.writes.slice(0, step + 1), outcome: outcomes[index] };
        story.world = expected ?? story.world;
        expect({ ...about, found: postsOf(within(stored, story.world)) }).toEqual({
          ...about,
          outcome: expected === undefined ? 'refused' : 'done',
          found: postsOf(story.world),
        });
      }
    }
    expect(await posts.violations()).toEqual([]);
  },
  minutes(5),
);

/** The ways in which a post gets a target: what is saved before, and the write. */
const ways: readonly {
  readonly name: string;
  readonly saves: boolean;
  readonly write: (id: number, data: Values) => Write;
}[] = [
  { name: 'publishes its copy', saves: true, write: (id) => ({ kind: 'publish', id, data: {} }) },
  { name: 'is unpublished with its copy', saves: true, write: (id) => ({ kind: 'put', id, data: {}, isLive: false }) },
  { name: 'is published with it', saves: false, write: (id, wanted) => ({ kind: 'publish', id, data: wanted }) },
  { name: 'is changed', saves: false, write: (id, wanted) => ({ kind: 'put', id, data: wanted }) },
];

/** A write of a process that ends with it. */
const inProcess =
  (write: Write) =>
  async (db: Db): Promise<string> => {
    const process = openService(db, false);
    return outcomeOf(process, write).finally(() => process.store.transactions.close());
  };

/** Commands of one write, at most. */
const MOST_COMMANDS = 60;

const meetings = ways.flatMap((way) =>
  ways.map((other) => ({ title: `${way.name}, the other ${other.name}`, way, other })),
);

test.each(meetings.slice(0, scaled(4, meetings.length)))(
  'two posts want one target, and one is interrupted after each of its commands: one $title',
  async ({ way, other }) => {
    const worlds = Array.from({ length: MOST_COMMANDS }, (_, history) => worldOf(history));
    await begin(worlds);
    const service = openService(posts.db);
    let commands = 0;
    for (const [history, initial] of worlds.entries()) {
      const wanted = data([1])(history, 'card');
      const [first, second] = [idIn(history, ORIGINAL), idIn(history, OTHER)];
      let world = initial;
      for (const [id, { saves: isSaved }] of [
        [first, way],
        [second, other],
      ] as const) {
        const save: Write = { kind: 'save', id, data: wanted };
        if (isSaved) expect(await outcomeOf(service, save)).toBe('done');
        world = (isSaved ? after(world, save) : undefined) ?? world;
      }
      const writes = [way.write(first, wanted), other.write(second, wanted)] as const;
      const { results, isHeld } = await runPreempted(posts.db, history, [inProcess(writes[0]), inProcess(writes[1])]);
      const found = postsOf(within(await posts.read([...world.posts.keys()]), world));
      const about = { writes, commands: history, outcomes: results };
      expect({ ...about, found, expected: afterBoth(world, writes, results).map(postsOf) }).toEqual({
        ...about,
        found,
        expected: expect.arrayContaining([found]),
      });
      commands = history;
      if (!isHeld) break;
    }
    // Each was held after each command until one had no more.
    expect(commands).toBeGreaterThan(5);
    expect(commands).toBeLessThan(MOST_COMMANDS - 1);
    expect(await posts.violations()).toEqual([]);
  },
  minutes(5),
);
