import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { PresentUsers } from '../../../../src/mongo/coordination/presence.js';
import { declare, type Permission } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { commandsOf } from '../../../../tests/support/commands.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService, type Answer } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const isAllowed = { policies: [() => true] };
const client = useService({
  // Code of the project takes part in reading tags, and in changing authors.
  extension: { guards: { 'api::tag.tag.findOne': isAllowed, 'api::author.author.update': isAllowed } },
  plugins: {
    admin: true,
    i18n: { config: { locales: ['en', 'fr'] } },
    'users-permissions': { config: { rateLimit: false } },
  },
  environment: { DRAFTS: 'restricted' },
});
const uid = 'api::article.article';
const writing = ['find', 'findOne', 'find.drafts', 'update'].map((action) => `${uid}.${action}`);
const password = 'looks-at-articles';
const tokens: Record<string, string> = {};

const allow = (...permissions: readonly Permission[]): Promise<void> =>
  declare(client.service, { public: ['plugin::users-permissions.auth.callback'], authenticated: permissions });
const send = (method: 'put' | 'delete', path: string, token: string, body?: object): Promise<Answer> =>
  request(client.service.url)[method](`/api/admin/presence/${path}`).auth(token, { type: 'bearer' }).send(body);
const announce = (user: string, id: number, body: object = {}, session = `tab-of-${user}`): Promise<Answer> =>
  send('put', `${uid}/${id}`, tokens[user] ?? '', { session, ...body });
/** Who else is there, as a user sees it. */
const seenBy = async (...announced: Parameters<typeof announce>): Promise<unknown> =>
  (await announce(...announced)).body.data?.others;
const named = (name: string | null, unsaved = false, own = false): object => ({ name, unsaved, own });
const stored = () => client.service.database.db.collection('_presence');
/** As if this time had passed: sessions end by the clock of the database. */
const pass = async (seconds: number): Promise<void> => {
  const before = (time: string): object => ({ $subtract: [time, seconds * 1000] });
  const sessions = {
    $map: { input: '$sessions', as: 'one', in: { $mergeObjects: ['$$one', { at: before('$$one.at') }] } },
  };
  await stored().updateMany({}, [{ $set: { at: before('$at'), sessions } }]);
};

let id: number;
beforeAll(async () => {
  await allow(...writing);
  for (const user of ['ann', 'bob', 'eve']) {
    await createUser(client, user, password);
    const answer = await request(client.service.url).post('/api/auth/local').send({ identifier: user, password });
    tokens[user] = answer.body.jwt;
  }
});
beforeEach(async () => {
  await allow(...writing);
  await stored().deleteMany({});
  id = await client.create('articles', { title: 'Bread' });
});

const inBrowser = chromium === undefined ? describe.skip : describe;

describe('who has an entry open', () => {
  test('is told to each other, with what they have not saved, until they leave', async () => {
    expect(await seenBy('ann', id)).toEqual([]);
    expect(await seenBy('bob', id, { unsaved: true })).toEqual([named('ann')]);
    expect(await seenBy('ann', id)).toEqual([named('bob', true)]);
    expect(await seenBy('bob', id)).toEqual([named('ann')]);
    expect(await seenBy('ann', id)).toEqual([named('bob')]);
    expect((await send('delete', 'tab-of-bob', tokens['bob'] ?? '')).status).toBe(200);
    expect(await seenBy('ann', id)).toEqual([]);
  });

  test('is who has this entry open, and not another one', async () => {
    const next = await client.create('articles', { title: 'Rye' });
    await announce('bob', id);
    expect(await seenBy('ann', next)).toEqual([]);
    await announce('bob', next);
    expect([await seenBy('ann', id), await seenBy('ann', next, {}, 'second-tab')]).toEqual([[], [named('bob')]]);
  });

  test('is also the same user in another tab, and each user once', async () => {
    await announce('ann', id, { unsaved: true }, 'second-tab');
    await announce('bob', id, {}, 'first-tab');
    await announce('bob', id, { unsaved: true }, 'second-tab');
    expect(await seenBy('ann', id)).toEqual([named('ann', true, true), named('bob', true)]);
    // Nobody ends the session of another user.
    await send('delete', 'second-tab', tokens['eve'] ?? '');
    expect(await seenBy('ann', id)).toHaveLength(2);
  });

  test('is the same for all processes, and ends within a minute without a renewal', async () => {
    const process = new PresentUsers(client.service.database.db);
    await announce('ann', id);
    const subject = `${uid}:${id}`;
    const asked = { user: 0, session: 'of-a-test', subject };
    expect(await process.at(asked)).toEqual([{ user: expect.any(Number), isChanging: false }]);
    await pass(30);
    await announce('ann', id);
    await pass(30);
    expect(await process.at(asked)).toHaveLength(1);
    await pass(25);
    expect([await process.at(asked), await seenBy('bob', id)]).toEqual([[], []]);
    // The next process to look removes what has ended.
    await stored().updateMany({}, { $set: { at: new Date(0) } });
    await new PresentUsers(client.service.database.db).announce({ ...asked, isChanging: false });
    expect(await stored().countDocuments()).toBe(1);
  });

  test('is stored once per user, with the last 20 sessions', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, tab) => announce('ann', id, {}, `session-${tab}`)));
    const documents = await stored().find().toArray();
    expect(documents.map(({ sessions }) => sessions.length)).toEqual([20]);
  });
});

describe('somebody who saved it', () => {
  const seenAt = async (): Promise<string> => (await client.get(`/api/articles/${id}`)).body.data.attributes.updatedAt;
  const savedSince = async (seen: string): Promise<unknown> => (await announce('ann', id, { seen })).body.data.saved;

  test('is named to users who see an earlier state', async () => {
    const seen = await seenAt();
    expect(await savedSince(seen)).toBeUndefined();
    const saving = request(client.service.url)
      .put(`/api/articles/${id}`)
      .auth(tokens['bob'] ?? '', { type: 'bearer' });
    await saving.send({ data: { title: 'Rye bread' } });
    const at = await seenAt();
    expect([await savedSince(seen), await savedSince(at)]).toEqual([{ at, by: 'bob' }, undefined]);
  });

  test('is not told to users who may not read the time', async () => {
    const seen = new Date(0).toISOString();
    expect(await savedSince(seen)).toEqual({ at: expect.any(String), by: null });
    await allow({ action: `${uid}.findOne`, fields: ['title'] }, `${uid}.find.drafts`);
    expect(await savedSince(seen)).toBeUndefined();
  });
});

describe('nothing is told', () => {
  const asked = async (user: string, of = id, type = uid): Promise<number> =>
    (await send('put', `${type}/${of}`, tokens[user] ?? '', { session: 'tab-of-eve' })).status;

  test('to callers who are no users', async () => {
    const path = `/api/admin/presence/${uid}/${id}`;
    expect((await request(client.service.url).put(path).send({ session: 'a-program' })).status).toBe(401);
    const { token } = client.service;
    for (const method of ['put', 'delete'] as const) {
      const answer = await send(method, method === 'put' ? `${uid}/${id}` : 'a-program', token, {
        session: 'a-program',
      });
      expect(answer.status).toBe(401);
    }
    expect(await stored().countDocuments()).toBe(0);
  });

  test('to users who may not read the entry, and they do not become visible', async () => {
    const draft = await client.create('articles', { title: 'Draft', publishedAt: null });
    await announce('ann', draft);
    await announce('ann', id);
    await allow(`${uid}.find`, `${uid}.findOne`, `${uid}.update`);
    expect([await asked('eve', draft), await asked('eve')]).toEqual([404, 200]);
    await allow({ action: `${uid}.findOne`, where: { title: 'Another' } }, `${uid}.find.drafts`, `${uid}.update`);
    expect(await asked('eve')).toBe(404);
    await allow(`${uid}.find`, `${uid}.update`);
    expect(await asked('eve')).toBe(403);
    await allow(...writing);
    expect(await asked('eve', 999_999)).toBe(404);
    expect(await seenBy('ann', draft)).toEqual([]);
  });

  test('of types that clients do not reach', async () => {
    const types = ['api::unknown.unknown', 'plugin::users-permissions.user', 'admin::api-token'];
    // Where a type does not have the action, there is no such route.
    expect(await Promise.all(types.map((type) => asked('eve', 1, type)))).toEqual([405, 404, 405]);
  });

  test('by name to users who may not change the entry', async () => {
    await announce('bob', id, { unsaved: true });
    for (const permissions of [
      [`${uid}.findOne`, `${uid}.find.drafts`],
      [`${uid}.findOne`, `${uid}.find.drafts`, { action: `${uid}.update`, where: { title: 'Another' } }],
    ]) {
      await allow(...permissions);
      expect(await seenBy('ann', id)).toEqual([named(null, true)]);
    }
  });
});

test('code of the project is not passed by', async () => {
  const actions = ['findOne', 'update'];
  await allow(...['tag', 'author'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)));
  const path = async (name: string): Promise<string> =>
    `api::${name}.${name}/${await client.create(`${name}s`, { name: 'Rye' })}`;
  const [tag, author] = [await path('tag'), await path('author')];
  const ask = (of: string, user: string): Promise<Answer> =>
    send('put', of, tokens[user] ?? '', { session: 'tab-of-a-user' });
  expect((await ask(tag, 'ann')).status).toBe(405);
  await ask(author, 'ann');
  expect((await ask(author, 'bob')).body.data.others).toEqual([named(null)]);
});

test('input that it does not know is refused', async () => {
  const wrong = [
    [{ session: 'short' }, 'session must have'],
    [{ session: '$where-it-is' }, 'session must have'],
    [{ session: { $ne: 1 } }, 'session must have'],
    [{ unsaved: 'yes' }, 'unsaved must be true or false'],
    [{ seen: 'yesterday' }, 'seen must be'],
    [{ user: 1 }, 'user is not known'],
  ] as const;
  for (const [body, message] of wrong) {
    const answer = await announce('ann', id, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  }
  expect((await send('put', `${uid}/one`, tokens['ann'] ?? '', { session: 'tab-of-ann' })).status).toBe(404);
  expect((await send('delete', 'short', tokens['ann'] ?? '')).status).toBe(400);
});

test('it costs three commands while nobody else is there, and changes nothing of the entry and its type', async () => {
  await announce('ann', id);
  const { db } = client.service.database;
  const read = async (): Promise<unknown> => [
    await db.collection<{ _id: number }>('articles').findOne({ _id: id }),
    await db.collection('_versions').find().sort({ _id: 1 }).toArray(),
    await db
      .listCollections()
      .toArray()
      .then((all) => all.length),
  ];
  const before = await read();
  expect(await commandsOf(client.service, () => announce('ann', id, { unsaved: true }))).toEqual([
    'find',
    'update',
    'aggregate',
  ]);
  expect(await read()).toEqual(before);
});

test('the description of the content says which types have it', async () => {
  const described = async (user: string): Promise<readonly string[]> => {
    const answer = await request(client.service.url).get('/api/admin/content').auth(user, { type: 'bearer' });
    return answer.body.data.contentTypes.flatMap((type: { uid: string; presence?: true }) =>
      type.presence ? type.uid : [],
    );
  };
  expect(await described(tokens['ann'] ?? '')).toEqual([uid]);
  expect(await described(client.service.token)).toEqual([]);
  await allow(`${uid}.update`);
  expect(await described(tokens['ann'] ?? '')).toEqual([]);
});

inBrowser('two editors of an entry', () => {
  const pages: EditorPage[] = [];
  afterAll(async () => {
    for (const page of pages) await page.close();
  });
  const open = async (user: string): Promise<EditorPage> => {
    const page = await openEditor(client, `/admin/content/articles/${id}`);
    pages.push(page);
    await page.logIn(user, password);
    await page.heading('Bread');
    return page;
  };
  /** Waits for what the form says: who comes back to the page asks again at once. */
  const says = (page: EditorPage, text: RegExp): Promise<unknown> =>
    page.waitFor(`(() => {
      if (!(Date.now() < globalThis.askedUntil)) {
        globalThis.askedUntil = Date.now() + 1000;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }
      return ${String(text)}.test(document.querySelector('.presence [role=status]').textContent);
    })()`);

  test('see each other, what is not saved, and what was saved meanwhile', async () => {
    const [ann, bob] = [await open('ann'), await open('bob')];
    await says(bob, /^AAlso here: ann$/);
    await says(ann, /^BAlso here: bob$/);
    expect(await ann.findBarriersInLooks()).toEqual([]);
    await bob.type('title', 'Rye bread');
    await says(ann, /bob \(unsaved changes\)$/);
    await bob.press('s');
    await bob.notice('Saved');
    await says(ann, /by bob\.$/);
    // In a form without changes it is there at once; otherwise both are compared.
    await ann.click('.presence button', 'Load');
    await ann.heading('Rye bread');
    await says(ann, /^BAlso here: bob$/);
    await ann.type('title', 'Spelt bread');
    await bob.type('title', 'Wheat bread');
    await bob.press('s');
    await bob.notice('Saved');
    await says(ann, /by bob\.$/);
    await ann.click('.presence button', 'Load');
    await ann.waitFor(`document.querySelector('.dialog .conflict') !== null`);
    await ann.click('.dialog [aria-label=Close]');
    await bob.goTo('/admin/content/articles');
    await bob.heading('Articles');
    await says(ann, /^Saved meanwhile, .*, by bob\.$/);
    expect([ann.mistakes, bob.mistakes]).toEqual([[], []]);
  });
});
