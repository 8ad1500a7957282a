import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { declare, type Permission } from '../../support/access.js';
import { commandsOf } from '../../support/commands.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

/** Posts belong to authors, who belong to users. */
const people = usePeople({
  contentTypes: 'tests/fixtures/ownership',
  plugins: { i18n: { config: { locales: ['en', 'fr'] } } },
});

const post = 'api::post.post';
const own = { author: { user: { id: '$user.id' } } };
const readable = [post, 'api::author.author', 'api::tag.tag', 'api::seat.seat'].flatMap((uid) => [
  `${uid}.find`,
  `${uid}.findOne`,
]);
const writable = ['author', 'tag', 'seat'].flatMap((name) => [
  `api::${name}.${name}.create`,
  `api::${name}.${name}.update`,
]);
const ownPosts: Permission = { action: `${post}.update`, where: own };

let ben: AuthUser;
let anns: number;
let bens: number;
/** Ann's post, and Ben's. */
let hers: number;
let his: number;
let tag: number;
let seat: number;

const { entries } = { entries: () => people.service.entries };
const create = async (uid: string, data: object): Promise<number> => (await entries().create(uid, { ...data })).id;
const role = (...permissions: readonly Permission[]): Promise<void> =>
  declare(people.service, { authenticated: [...readable, ...writable, ...permissions] });
const put = (path: string, data: object) => people.send('put', `/api/${path}`, { data }, ben.jwt);
const stored = async (id: number) => {
  const populate = ['author', 'tags', 'seat', 'subject'];
  const { author, tags, seat: taken, subject, price } = await entries().findOne(post, id, { populate });
  const idOf = (value: unknown) => (value as { readonly id: number } | null)?.id;
  const ids = (tags as readonly { readonly id: number }[]).map(idOf);
  return {
    author: idOf(author),
    tags: ids,
    seat: idOf(taken),
    subject: (subject as unknown[] | null)?.length ?? 0,
    price,
  };
};

beforeAll(async () => {
  const ann = await people.register('ann');
  ben = await people.register('ben');
  anns = await create('api::author.author', { name: 'Ann', user: ann.id });
  bens = await create('api::author.author', { name: 'Ben', user: ben.id });
});

beforeEach(async () => {
  tag = await create('api::tag.tag', { name: 'news' });
  seat = await create('api::seat.seat', { name: 'front' });
  const subject = { __type: 'api::author.author', id: bens };
  hers = await create(post, { title: 'Hers', price: 100, author: anns, tags: [tag], seat, subject, locale: 'en' });
  his = await create(post, { title: 'His', price: 1, author: bens, locale: 'en' });
  await role(ownPosts);
});

const changes: readonly (readonly [string, () => readonly [string, object]])[] = [
  ['connects to', () => [`authors/${bens}`, { posts: { connect: [hers] } }]],
  ['names in a list', () => [`authors/${bens}`, { posts: [his, hers] }]],
  ['disconnects from', () => [`tags/${tag}`, { posts: { disconnect: [hers] } }]],
  ['leaves out of a list', () => [`tags/${tag}`, { posts: [] }]],
  ['takes the target of a one-to-one relation from', () => [`posts/${his}`, { seat }]],
  ['takes the target together with a shared value from', () => [`posts/${his}`, { seat, price: 2 }]],
  ['replaces at the other side of a one-to-one relation', () => [`seats/${seat}`, { post: his }]],
  ['empties the other side of a one-to-one relation', () => [`seats/${seat}`, { post: null }]],
  ['connects a morph relation to', () => [`authors/${anns}`, { mentions: [hers] }]],
  ['disconnects a morph relation from', () => [`authors/${bens}`, { mentions: [] }]],
];

test.each(changes)(
  'a write that %s an entry is refused where the rule does not allow to change it',
  async (_, change) => {
    const [path, data] = change();
    const before = await stored(hers);
    const { status, body } = await put(path, data);
    expect([status, body.error?.details?.errors?.[0]?.path]).toEqual([400, [Object.keys(data)[0]]]);
    expect(await stored(hers)).toEqual(before);
  },
);

test.each(changes)('a write that %s an entry is allowed without a rule for its type', async (_, change) => {
  await role(`${post}.update`);
  const [path, data] = change();
  expect((await put(path, data)).status).toBe(200);
});

test('what the rule allows can be written from the other side, and entries keep links that do not change', async () => {
  expect((await put(`tags/${tag}`, { posts: { connect: [his] } })).status).toBe(200);
  expect((await put(`tags/${tag}`, { posts: [his, hers] })).status).toBe(200);
  expect((await put(`tags/${tag}`, { posts: { disconnect: [his] } })).status).toBe(200);
  expect((await put(`seats/${seat}`, { post: hers })).status).toBe(200);
  expect((await stored(his)).tags).toEqual([]);
  expect(await stored(hers)).toMatchObject({ tags: [tag], seat });
});

test.each([
  ['a value that is missing', { rank: { $gt: 0 } }],
  ['the opposite of that', { $not: { rank: { $gt: 0 } } }],
  ['a variable without a value', { title: { $ne: '$user.department' } }],
  ['a relation', { $not: { author: { user: { id: '$user.id' } } } }],
])('a rule about %s does not allow what it does not match', async (_, where) => {
  const other = await create(post, { title: 'Nobody', locale: 'en' });
  await role({ action: `${post}.update`, where });
  const direct = await put(`posts/${other}`, { title: 'x' });
  const inverse = await put(`tags/${tag}`, { posts: { connect: [other] } });
  expect([direct.status, inverse.status]).toEqual([404, 400]);
});

test('new entries, batches, dry runs and GraphQL are refused as well', async () => {
  const send = (path: string, body: object) => people.send('post', path, body, ben.jwt);
  const data = { name: 'New', posts: [hers] };
  expect((await send('/api/tags', { data })).status).toBe(400);
  expect((await send('/api/tags?dryRun=true', { data })).status).toBe(400);
  const operations = [
    { create: 'posts', data: { title: 'x' } },
    { update: 'authors', id: bens, data: { posts: { connect: [hers] } } },
  ];
  await role(ownPosts, `${post}.create`);
  const batch = await send('/api/batch', { operations });
  expect([batch.status, batch.body.error.details.errors[0].path]).toEqual([400, ['operations', '1', 'data', 'posts']]);
  const query = `mutation { updateAuthor(id: ${bens}, data: { posts: [${hers}] }) { data { id } } }`;
  const { body } = await send('/graphql', { query });
  expect(body.errors).toMatchObject([{ message: expect.stringContaining('posts must not be written') }]);
  expect((await stored(hers)).author).toBe(anns);
});

test('an entry that the same batch creates is asked for the rule', async () => {
  await role(ownPosts, { action: `${post}.create`, set: { author: anns } });
  const batch = (author: number) => [
    { create: 'posts', data: { title: 'x' }, as: 'new' },
    { update: 'authors', id: author, data: { posts: { connect: ['$new'] } } },
  ];
  const send = (author: number) => people.send('post', '/api/batch', { operations: batch(author) }, ben.jwt);
  expect((await send(bens)).body.error.details.errors[0].message).toContain('posts must not be written');
  await role(ownPosts, { action: `${post}.create`, set: { author: bens } });
  expect(await send(bens)).toMatchObject({ status: 200 });
});

test('an entry that is hidden from the caller keeps its links', async () => {
  await role({ action: `${post}.find`, where: own }, { action: `${post}.findOne`, where: own }, `${post}.update`);
  // The plain permissions in `readable` allow all.
  const limited = readable.filter((action) => !action.startsWith(post));
  const hidden = ['find', 'findOne'].map((name) => ({ action: `${post}.${name}`, where: own }));
  await declare(people.service, { authenticated: [...limited, ...writable, ...hidden, `${post}.update`] });
  expect((await put(`tags/${tag}`, { posts: [his] })).status).toBe(400);
  expect((await stored(hers)).tags).toEqual([tag]);
});

describe('fields that may not be written', () => {
  const withoutTags: Permission = { action: `${post}.update`, fields: ['-tags', '-seat', '-subject', '-price'] };

  const sides: typeof changes = [
    ['tags', () => [`tags/${tag}`, { posts: [his] }]],
    ['a morph relation', () => [`authors/${bens}`, { mentions: [his] }]],
    ['a one-to-one relation', () => [`seats/${seat}`, { post: his }]],
  ];
  test.each(sides)('are not written from the other side: %s', async (_, change) => {
    await role(withoutTags);
    const [path, data] = change();
    expect((await put(path, data)).status).toBe(400);
  });

  test('of another entry are not cleared by a new one', async () => {
    await role(withoutTags, `${post}.create`);
    const { status } = await people.send('post', '/api/posts', { data: { title: 'x', seat } }, ben.jwt);
    expect(status).toBe(400);
    expect((await stored(hers)).seat).toBe(seat);
  });

  test('are dropped where `forbiddenFields` says so', async () => {
    const permissions = [...readable, ...writable, withoutTags];
    await declare(people.service, { authenticated: permissions }, {}, { forbiddenFields: 'drop' });
    expect((await put(`tags/${tag}`, { name: 'old', posts: [] })).status).toBe(200);
    expect((await stored(hers)).tags).toEqual([tag]);
  });
});

describe('localizations', () => {
  const localize = (data: object) =>
    people.send('post', `/api/posts/${hers}/localizations`, { locale: 'fr', title: 'FR', ...data }, ben.jwt);

  test('do not change shared values of entries that the rule does not allow to change', async () => {
    await role(ownPosts, `${post}.createLocalization`, `${post}.create`);
    const { status, body } = await localize({ price: 1 });
    expect([status, body.error.details.errors[0].path]).toEqual([400, ['price']]);
    expect((await stored(hers)).price).toBe(100);
    // Values of the group are no change.
    expect((await localize({ price: 100 })).status).toBe(200);
  });

  test('of the caller do not change the values of others', async () => {
    await role(ownPosts, `${post}.createLocalization`);
    const { body } = await localize({ author: bens });
    expect((await put(`posts/${body.id}`, { title: 'mine' })).status).toBe(200);
    expect((await put(`posts/${body.id}`, { price: 2 })).status).toBe(400);
    expect((await put(`posts/${body.id}`, { price: null })).status).toBe(400);
    expect((await put(`posts/${body.id}`, { price: 100 })).status).toBe(200);
    expect((await stored(hers)).price).toBe(100);
  });

  test('share what the rule allows', async () => {
    await role({ action: `${post}.update`, where: { title: { $ne: 'x' } } }, `${post}.createLocalization`);
    expect((await localize({ price: 5 })).status).toBe(200);
    expect((await stored(hers)).price).toBe(5);
  });

  test('begin with the values of `set`, however they are created, except shared ones', async () => {
    await role(
      { action: `${post}.create`, set: { author: bens, title: 'pending', price: 3 } },
      `${post}.createLocalization`,
    );
    const valuesOf = async (id: number) => {
      const { title, price, author } = await entries().findOne(post, id, { populate: ['author'], locale: 'all' });
      return { title, price, author: (author as { readonly id: number } | null)?.id };
    };
    const pending = { title: 'pending', price: 100, author: bens };
    const ways = {
      REST: async () => (await localize({ title: 'approved', author: anns })).body.id as number,
      batch: async () => {
        const data = { title: 'approved', locale: 'fr', author: anns };
        const operations = [{ create: 'posts', localizationOf: hers, data }];
        return (await people.send('post', '/api/batch', { operations }, ben.jwt)).body.data[0].id as number;
      },
      GraphQL: async () => {
        const query = `mutation { createPostLocalization(id: ${hers}, locale: "fr", data: { title: "approved", author: ${anns} }) { data { id } } }`;
        const { body } = await people.send('post', '/graphql', { query }, ben.jwt);
        return Number(body.data.createPostLocalization.data.id);
      },
    };
    for (const [way, create] of Object.entries(ways)) {
      const id = await create();
      expect([way, await valuesOf(id)]).toEqual([way, pending]);
      await entries().delete(post, id);
    }
  });

  test('do not share fields that may not be changed', async () => {
    await role({ action: `${post}.update`, fields: ['-price'] }, `${post}.createLocalization`);
    expect((await localize({ price: 5 })).status).toBe(400);
  });
});

test('the own account is no way around the rule of another type', async () => {
  const user = 'plugin::users-permissions.user';
  const limited = [
    { action: `${user}.update`, where: { id: '$user.id' } },
    { action: 'api::author.author.update', where: { user: { id: '$user.id' } } },
  ];
  await declare(people.service, { authenticated: [...readable, ...limited] });
  const { status } = await people.send('put', `/api/users/${ben.id}`, { author: anns }, ben.jwt);
  expect(status).toBe(400);
  const author = await entries().findOne('api::author.author', anns, { populate: ['user'] });
  expect(author['user']).not.toMatchObject({ id: ben.id });
});

test('the rule is asked by one command, however many entries a write changes', async () => {
  const posts = [];
  for (let index = 0; index < 4; index += 1)
    posts.push(await create(post, { title: 'Mine', author: bens, locale: 'en' }));
  const countFor = async (ids: readonly number[]) => {
    const target = await create('api::tag.tag', { name: 'many' });
    return (await commandsOf(people.service, () => put(`tags/${target}`, { posts: { connect: ids } }))).length;
  };
  await countFor(posts);
  // One entry is locked by another command than several.
  expect(await countFor(posts)).toBe(await countFor(posts.slice(1, 3)));
});

describe('a registration with relations', () => {
  const config = { rateLimit: false, register: { allowedFields: ['author'] } };
  const visitors = usePeople({
    contentTypes: 'tests/fixtures/ownership',
    plugins: { 'users-permissions': { config }, i18n: { config: { locales: ['en'] } } },
  });

  test('does not take entries that the rules of the public hide', async () => {
    const [free, hidden] = [
      await visitors.service.entries.create('api::author.author', { name: 'free' }),
      await visitors.service.entries.create('api::author.author', { name: 'hidden' }),
    ];
    const find = { action: 'api::author.author.find', where: { name: 'free' } };
    await declare(visitors.service, { public: [find, 'plugin::users-permissions.auth.register'] });
    const register = async (username: string, author: number) => {
      const data = { username, email: `${username}@example.test`, password: 'secret-1', author };
      return (await visitors.send('post', '/api/auth/local/register', data)).status;
    };
    expect([await register('eve', hidden.id), await register('fay', free.id)]).toEqual([400, 200]);
  });
});
