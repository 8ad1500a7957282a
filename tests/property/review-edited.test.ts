import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { isRecord } from '../../src/config/record.js';
import { declare, keyOf } from '../support/access.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService, type Answer } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';

const ROUNDS = Number(process.env['RUNS'] ?? scaled(11, 60));
const STEPS = 14;
const uid = 'api::article.article';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { admin: true, versions: true, i18n: { config: { locales: ['en', 'de'] } } },
});

beforeAll(() => {
  const reading = ['find', 'findOne', 'find.drafts'].map((action) => `${uid}.${action}`);
  const changing = ['create', 'update', 'delete', 'createLocalization'].map((action) => `${uid}.${action}`);
  const author = ['find', 'findOne', 'delete'].map((action) => `api::author.author.${action}`);
  return declare(client.service, {}, { chief: [...reading, ...changing, ...author] });
});

const send = async (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
  const sent = request(client.service.url)[method](path).auth(keyOf('chief'), { type: 'bearer' });
  return body === undefined ? sent : sent.send(body);
};

/** What no reader tells apart: a component of a copy has the id that it gets when it is published. */
const withoutIds = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutIds)
    : isRecord(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, inner]) => (name === 'id' ? [] : [[name, withoutIds(inner)]])),
        )
      : value;

const written = ['title', 'slug', 'price', 'author', 'tags', 'blocks'];

/** What is published of an entry, or what would be; undefined: nothing is. */
async function stateOf(id: number, status: 'draft' | 'published'): Promise<string | undefined> {
  const { body } = await send('get', `/api/articles/${id}?populate=*&status=${status}`);
  if (body.data === null || body.data === undefined) return undefined;
  const { attributes } = body.data as { readonly attributes: Readonly<Record<string, any>> }; // oxlint-disable-line typescript/no-explicit-any
  const values = written.map((name) => {
    const value = attributes[name];
    // Relations by their ids.
    if (name === 'author') return value?.data?.id ?? null;
    return name === 'tags' ? value.data.map((one: { readonly id: number }) => one.id) : withoutIds(value);
  });
  return JSON.stringify(values);
}

interface Article {
  readonly id: number;
  readonly german: number;
  readonly author: number;
}

async function createArticle(isPublished: boolean): Promise<Article> {
  const author = await client.create('authors', { name: 'Ann' });
  const publishedAt = isPublished ? {} : { publishedAt: null };
  const id = await client.create('articles', { title: 'Bread', price: 1, author, tags: [author], ...publishedAt });
  const path = `/api/articles/${id}/localizations`;
  const { body } = await send('post', path, { locale: 'de', title: 'Brot' });
  return { id, german: body.id, author };
}

type Edit = (article: Article, choices: Choices) => Promise<Answer>;

const valueOf = (choices: Choices): object =>
  choices.oneOf([
    { title: choices.oneOf(['Bread', 'Rye', 'Spelt']) },
    { price: choices.below(3) },
    { blocks: choices.oneOf([[], [{ __component: 'parts.quote', text: 'Good' }]]) },
    { tags: [] },
    { author: null },
  ]);

/** All that changes what is published, or what would be. */
const edits: Readonly<Record<string, Edit>> = {
  'prepare a title': ({ id }) =>
    send('put', `/api/articles/${id}?status=draft`, { data: { title: `Prepared ${randomUUID()}` } }),
  'save the draft': ({ id }, choices) => send('put', `/api/articles/${id}?status=draft`, { data: valueOf(choices) }),
  'save the draft in a batch': ({ id }, choices) =>
    send('post', '/api/batch', { operations: [{ update: 'articles', id, status: 'draft', data: valueOf(choices) }] }),
  'save the draft by GraphQL': ({ id }, choices) =>
    send('post', '/graphql', {
      query: `mutation ($data: ArticleInput!) { updateArticle(id: ${id}, status: DRAFT, data: $data) { data { id } } }`,
      variables: { data: { title: choices.oneOf(['Rye', 'Oats']) } },
    }),
  'write what is published': ({ id }, choices) => send('put', `/api/articles/${id}`, { data: valueOf(choices) }),
  'write what languages share': ({ german }, choices) =>
    send('put', `/api/articles/${german}`, { data: { price: choices.below(3) } }),
  'discard what is prepared': ({ id }) => send('delete', `/api/articles/${id}?status=draft`),
  'delete what it links to': ({ author }) => send('delete', `/api/authors/${author}`),
  'take it back': ({ id }) => send('put', `/api/articles/${id}`, { data: { publishedAt: null } }),
  'restore a version': async ({ id }) => {
    const { body } = await send('get', `/api/articles/${id}/versions`);
    const versions = body.data as readonly { readonly id: number }[];
    const data = { newest: versions[0]?.id, attributes: ['title', 'price', 'tags'], withoutMissing: true };
    return send('post', `/api/articles/${id}/versions/${versions.at(-1)?.id}/restore`, { data });
  },
};

const prepared = ['prepare a title', 'ask'] as const;
/** How rounds begin: with each outcome, then with each edit between what was asked for and its publication. */
const beginnings: readonly (readonly string[])[] = [
  [...prepared, 'publish', 'publish', ...prepared, 'prepare a title', 'publish', ...prepared, 'publish during an edit'],
  ...Object.keys(edits).map((edit) => [...prepared, edit, 'publish']),
];

const rowOf = async (id: number): Promise<{ tag: string; state: string; changed: boolean } | null> =>
  (await send('get', `/api/articles/${id}/review`)).body.data ?? null;

/**
 * Law 13 of the review: a request never survives an edit unseen. Its row says whether the entry has changed, and what
 * is published is what was asked for, or nothing is.
 */
test(
  'what has changed since it was asked for is shown as changed, and is not published',
  async () => {
    const random = randomNumbers(seed);
    const done = { published: 0, refused: 0, ended: 0, raced: 0 };
    const edited = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const choices = choicesOf(Array.from({ length: STEPS * 8 }, () => Math.floor(random() * 1000)));
      const begun = beginnings[round] ?? [];
      const article = await createArticle(begun.length > 0 || choices.chance(50));
      const { id } = article;
      const review = `/api/articles/${id}/review`;
      let asked: { readonly tag: string; readonly state: string | undefined } | undefined;
      const log: string[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        const edit = choices.oneOf(Object.keys(edits));
        const chosen = choices.oneOf(['ask', edit, edit, 'publish', 'publish during an edit', 'send back']);
        const did = begun[step] ?? chosen;
        const before = await stateOf(id, 'published');
        log.push(did);
        if (did === 'ask') {
          const answer = await send('post', review, {});
          if (answer.status === 200) asked = { tag: answer.body.data.tag, state: await stateOf(id, 'draft') };
        } else if (did === 'send back') {
          await send('post', `${review}/return`, { tag: asked?.tag ?? 'none', note: 'Which flour?' });
        } else if (did === 'publish' || did === 'publish during an edit') {
          const row = await rowOf(id);
          const isSame = (await stateOf(id, 'draft')) === asked?.state;
          const publish = () => send('post', `${review}/publish`, { tag: asked?.tag ?? 'none' });
          if (did === 'publish') {
            const { status } = await publish();
            const isReady = row !== null && row.state === 'ready' && row.tag === asked?.tag;
            // Said before, and done so.
            if (isReady) expect([log, row.changed]).toEqual([log, !isSame]);
            expect([log, status]).toEqual([log, isReady && isSame ? 200 : status === 409 ? 409 : 412]);
            const after = await stateOf(id, 'published');
            expect([log, after]).toEqual([log, status === 200 ? asked?.state : before]);
            done[status === 200 ? 'published' : isReady ? 'refused' : 'ended'] += 1;
          } else {
            // Only what is prepared: what is published changes by nothing but the publication.
            const saved = send('put', `/api/articles/${id}?status=draft`, { data: { title: `Raced ${step}` } });
            const [{ status }] = await Promise.all([publish(), saved]);
            const after = await stateOf(id, 'published');
            expect([log, after]).toEqual([log, status === 200 ? asked?.state : before]);
            done.raced += 1;
          }
        } else if ((await edits[did]?.(article, choices))?.status === 200) edited.add(did);
      }
    }
    // Each of them has happened.
    expect(
      Object.keys(edits)
        .slice(0, ROUNDS - 1)
        .filter((name) => !edited.has(name)),
    ).toEqual([]);
    expect(Object.entries(done).filter(([, count]) => count === 0)).toEqual([]);
  },
  minutes(5),
);
