import { expect, test } from '@jest/globals';
import lodash from 'lodash';
import request from 'supertest';
import { populateOf, writtenForm } from '../../../src/plugins/contract/written-form.js';
import { randomNumbers } from '../../../tests/support/random-numbers.js';
import { minutes, scaled, seed } from '../../../tests/support/scaled.js';
import { useService } from '../../../tests/support/service.js';

const WRITES = Number(process.env['WRITES'] ?? scaled(150, 10_000));
const KEPT = 100;
/** Versions that are kept although they are older than others that are gone. */
const SLACK = 10;
/** Entries of a type that there are at the same time. */
const MOST = 6;

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { versions: { config: { keep: KEPT, megabytes: 100 } }, i18n: { config: { locales: ['en', 'de'] } } },
});

const names = ['article', 'author', 'card'] as const;
type Name = (typeof names)[number];
const uidOf = (name: Name): string => `api::${name}.${name}`;
const pluralOf = (name: Name): string => `${name}s`;

/** What is kept of an entry: its values without those that other entries store, in one text. */
const notKept = new Set(['createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations']);

interface Observed {
  /** Since it was created: each state that was seen, as text. */
  readonly states: string[];
  /** Those after a write that was not the deletion of another entry. */
  readonly written: string[];
  /** With the time of the last write. */
  baseline: string;
}

const textOf = (published: unknown, data: object): string =>
  JSON.stringify([published ?? null, Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** The components of a write without ids are new. */
const withoutIds = (data: unknown): unknown =>
  Array.isArray(data)
    ? data.map(withoutIds)
    : lodash.isPlainObject(data)
      ? lodash.mapValues(lodash.omit(data as object, 'id'), withoutIds)
      : data;

/** The entries that there are, with their states. */
async function observe(): Promise<ReadonlyMap<string, { readonly state: string; readonly stamp: string }>> {
  const { entries, registry } = client.service;
  const found = new Map<string, { readonly state: string; readonly stamp: string }>();
  for (const name of names) {
    const type = registry.contentTypes.get(uidOf(name));
    if (type === undefined) throw new Error(`There is no ${name}`);
    const kept = [...type.attributes.values()].filter(
      (attribute) =>
        !notKept.has(attribute.name) &&
        attribute.writable &&
        !(attribute.kind === 'relation' && attribute.side === 'inverse'),
    );
    const pagination = { limit: -1 };
    const populate = populateOf(kept) ?? {};
    const params = { populate, pagination, ...(name === 'article' && { locale: 'all' }) };
    for (const entry of await entries.findMany(uidOf(name), params)) {
      const data = withoutPrivate(
        writtenForm(
          lodash.pick(
            entry,
            kept.map((one) => one.name),
          ),
          type.attributes,
        ),
      );
      const published = name === 'article' ? entry['publishedAt'] : null;
      const state = textOf(published, data as object);
      found.set(`${name} ${entry.id}`, { state, stamp: `${String(entry['updatedAt'])} ${state}` });
    }
  }
  return found;
}

const withoutPrivate = (data: unknown): unknown =>
  Array.isArray(data)
    ? data.map(withoutPrivate)
    : lodash.isPlainObject(data)
      ? lodash.mapValues(lodash.omit(data as object, 'hidden'), withoutPrivate)
      : data;

interface RandomWrite {
  readonly name: string;
  readonly isDeletion?: boolean;
  readonly send: () => Promise<unknown>;
  /** The entries that it names. */
  readonly named?: readonly string[];
}

let label = 0;

function randomWrite(
  random: () => number,
  ids: Readonly<Record<Name, readonly number[]>>,
  gone: readonly string[],
): RandomWrite {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (list: readonly number[]): readonly number[] => list.filter(() => random() < 0.4);
  label += 1;
  const values: Readonly<Record<Name, () => object>> = {
    article: () =>
      lodash.pickBy(
        {
          title: `t${label}`,
          slug: oneOf(['x', `s${label}`]),
          price: below(3),
          tags: some(ids.author),
          author: oneOf([...ids.author, null]),
          card: oneOf([...ids.card, null]),
          blocks: some(ids.author).map((source) => ({ __component: 'parts.quote', text: 'q', source })),
        },
        () => random() < 0.4,
      ),
    author: () => ({ name: oneOf(['a', 'b']), ...(random() < 0.4 && { articles: some(ids.article) }) }),
    card: () => ({ label: `c${label}`, ...(random() < 0.5 && { owner: oneOf([...ids.author, null]) }) }),
  };
  const name = oneOf(names);
  const id = oneOf(ids[name]);
  const data = values[name]();
  const { service } = client;
  const [collection, key] = [pluralOf(name), `${name} ${id}`];
  const batch = (operations: readonly object[]): Promise<unknown> =>
    ok(request(service.url).post('/api/batch').auth(service.token, { type: 'bearer' }).send({ operations }));
  const upper = name[0]?.toUpperCase() + name.slice(1);
  const [deleted = ''] = gone.length > 0 ? [oneOf(gone)] : [];
  const writes: readonly RandomWrite[] = [
    ...(id !== undefined && ids[name].length >= MOST
      ? []
      : [
          {
            name: `POST ${name}`,
            send: () => ok(client.post(`/api/${collection}`, { ...(name === 'article' && { title: 'new' }), ...data })),
          },
        ]),
    ...(id === undefined
      ? []
      : [
          ...Array.from({ length: 4 }, () => ({
            name: `PUT ${key}`,
            named: [key],
            send: () => ok(client.put(`/api/${collection}/${id}`, data)),
          })),
          ...Array.from({ length: 2 }, () => ({
            name: `GraphQL ${key}`,
            named: [key],
            send: async () => {
              const variables = { id, data: lodash.omit(data, 'blocks') };
              const { body } = await client.graphql(
                `mutation ($id: ID!, $data: ${upper}Input!) { update${upper}(id: $id, data: $data) { data { id } } }`,
                variables,
              );
              if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
            },
          })),
          ...Array.from({ length: 2 }, () => ({
            name: `code ${key}`,
            named: [key],
            send: () => service.entries.update(uidOf(name), id, data as Readonly<Record<string, unknown>>),
          })),
          {
            name: `batch of ${key}`,
            named: [key],
            send: () =>
              batch([
                { update: collection, id, data },
                ...(ids.card.length < MOST ? [{ create: 'cards', data: { label: `b${label}` } }] : []),
                ...ids.author
                  .slice(0, 1)
                  .map((other) => ({ update: 'authors', id: other, data: { name: `b${label}` } })),
              ]),
          },
          { name: `DELETE ${key}`, isDeletion: true, send: () => ok(client.delete(`/api/${collection}/${id}`)) },
          ...(name === 'article'
            ? [
                {
                  name: `unpublish ${key}`,
                  named: [key],
                  send: () => ok(client.put(`/api/articles/${id}`, { publishedAt: null })),
                },
                { name: `save ${key}`, send: () => ok(client.put(`/api/articles/${id}?status=draft`, data)) },
                {
                  name: `publish ${key}`,
                  named: [key],
                  send: () => ok(client.put(`/api/articles/${id}?status=published`, {})),
                },
                ...(ids.article.length >= 2 * MOST
                  ? []
                  : [
                      {
                        name: `localize ${key}`,
                        send: () =>
                          ok(
                            request(service.url)
                              .post(`/api/articles/${id}/localizations`)
                              .auth(service.token, { type: 'bearer' })
                              .send({ locale: 'de', title: 'neu' }),
                          ),
                      },
                    ]),
              ]
            : []),
        ]),
    ...(deleted === ''
      ? []
      : Array.from({ length: 2 }, () => {
          const [of, number] = deleted.split(' ');
          return {
            name: `restore ${deleted}`,
            named: [deleted],
            send: () => ok(client.post(`/api/${of}s/trash/${number}/restore`, {})),
          };
        })),
  ];
  return oneOf(writes);
}

async function ok(sent: PromiseLike<{ readonly status: number; readonly body: unknown }>): Promise<unknown> {
  const { status, body } = await sent;
  if (status >= 400) throw new Error(JSON.stringify(body));
  return body;
}

test(
  `after ${WRITES} writes over every way, the history of each entry has every state in order, and no other`,
  async () => {
    const random = randomNumbers(seed);
    const history = new Map<string, Observed>();
    const gone = new Set<string>();
    const done = new Map<string, number>();
    let refused = 0;
    for (let index = 0; index < WRITES; index += 1) {
      const idsOf = (name: Name): readonly number[] =>
        [...history.keys()].flatMap((key) =>
          key.startsWith(`${name} `) && !gone.has(key) ? [Number(key.split(' ')[1])] : [],
        );
      const ids = { article: idsOf('article'), author: idsOf('author'), card: idsOf('card') };
      const write = randomWrite(random, ids, [...gone]);
      const error = await write.send().then(
        () => undefined,
        (reason: unknown) => String(reason),
      );
      const kind = write.name.split(' ')[0] ?? '';
      if (error === undefined) done.set(kind, (done.get(kind) ?? 0) + 1);
      else refused += 1;
      const observed = await observe();
      for (const key of history.keys()) {
        if (observed.has(key)) gone.delete(key);
        else gone.add(key);
      }
      for (const [key, { state, stamp }] of observed) {
        const known = history.get(key) ?? { states: [], written: [], baseline: '' };
        history.set(key, known);
        const isChanged = known.baseline !== stamp;
        known.baseline = stamp;
        if (isChanged && known.states.at(-1) !== state) known.states.push(state);
        // Links to deleted entries vanish without a version: they are named where it is shown.
        const isWritten = error === undefined && (isChanged || write.named?.includes(key) === true);
        if (isWritten && write.isDeletion !== true && known.written.at(-1) !== state) known.written.push(state);
      }
    }
    for (const [key, { states, written }] of history) {
      const [name = '', id = ''] = key.split(' ');
      const all = await client.service.entries.findMany('admin::entry-version', {
        filters: { of: uidOf(name as Name), entry: Number(id) },
        sort: ['id:asc'],
        pagination: { limit: -1 },
      });
      const versions = all.filter(({ changes }) => changes === null);
      const kept = versions.map(({ published, data }) => textOf(published, withoutIds(data) as object));
      const about = { seed, key, states: states.length };
      // The oldest go, copies are counted, and the last that was published stays.
      const expected = all.length < KEPT ? written : written.slice(-Math.max(1, kept.length - SLACK));
      expect({ ...about, missing: withoutSubsequence(expected, kept) }).toEqual({ ...about, missing: [] });
      expect({ ...about, foreign: withoutSubsequence(kept, states) }).toEqual({ ...about, foreign: [] });
    }
    expect(
      Math.min(
        ...['PUT', 'GraphQL', 'code', 'batch', 'DELETE', 'restore', 'save', 'publish'].map(
          (kind) => done.get(kind) ?? 0,
        ),
      ),
    ).toBeGreaterThan(0);
    expect(refused).toBeLessThan(WRITES / 2);
  },
  minutes(10),
);

/** What is left of a list after the longest part of it that another one contains in this order. */
function withoutSubsequence(list: readonly string[], other: readonly string[]): readonly string[] {
  let from = 0;
  return list.flatMap((one, index) => {
    const found = other.indexOf(one, from);
    if (found < 0) return [`${index}: ${one}`];
    from = found + 1;
    return [];
  });
}
