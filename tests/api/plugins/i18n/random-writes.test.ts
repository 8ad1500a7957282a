import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { useService } from '../../../support/service.js';
import { scaled } from '../../../support/scaled.js';

const locales = ['en', 'fr', 'de'] as const;
const client = useService({ plugins: { i18n: { config: { locales } } } });
const { get, put, delete: remove } = client;

/** Which entry is meant by a number, of those that are there. */
type Step =
  | { readonly kind: 'create'; readonly data: object }
  | { readonly kind: 'localize' | 'update'; readonly entry: number; readonly data: object }
  | { readonly kind: 'delete'; readonly entry: number };

const values = {
  views: fc.option(fc.nat(9)),
  kind: fc.option(fc.constantFrom('news', 'review', 'opinion')),
  rating: fc.option(fc.constantFrom(0, 2.5, 5)),
  bignum: fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String)),
  score: fc.option(fc.constantFrom(1, 2.5)),
  featured: fc.option(fc.boolean()),
  locale: fc.option(fc.constantFrom(...locales, 'xx')),
};
const data = fc.record({ title: fc.constant('Random'), ...values }, { requiredKeys: ['title'] });
const entry = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), data }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('localize' as const), entry, data }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), entry, data }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), entry }) },
);

interface Found {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly localizations: { readonly data: readonly { readonly id: number }[] };
  };
}

async function allArticles(): Promise<readonly Found[]> {
  const list = '/api/articles?locale=all&publicationState=preview&pagination[limit]=100&populate=localizations';
  return (await get(list)).body.data as readonly Found[];
}

async function take(one: Step): Promise<void> {
  if (one.kind === 'create') {
    await client.post('/api/articles', one.data);
    return;
  }
  const ids = (await allArticles()).map(({ id }) => id);
  const id = ids[one.entry % ids.length];
  if (id === undefined) return;
  if (one.kind === 'update') await put(`/api/articles/${id}`, one.data);
  else if (one.kind === 'delete') await remove(`/api/articles/${id}`);
  else {
    await fetch(`${client.service.url}/api/articles/${id}/localizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(one.data),
    });
  }
}

/**
 * Each entry knows all the others of its group, no two are in one locale, and what is shared is equal. Gives how many
 * entries have localizations.
 */
function expectWholeGroups(entries: readonly Found[]): number {
  const byId = new Map(entries.map((one) => [one.id, one]));
  const shared = ({ attributes: { kind, rating, views, bignum } }: Found): object => ({ kind, rating, views, bignum });
  for (const one of entries) {
    const others = one.attributes.localizations.data.map(({ id }) => byId.get(id) as Found);
    const group = new Set([one, ...others].map(({ id }) => id));
    expect(new Set([one, ...others].map(({ attributes }) => attributes['locale'])).size).toBe(group.size);
    for (const other of others) {
      expect(shared(other)).toEqual(shared(one));
      const otherIds = other.attributes.localizations.data.map(({ id }) => id);
      expect(new Set([other.id, ...otherIds])).toEqual(group);
    }
  }
  return entries.filter(({ attributes }) => attributes.localizations.data.length > 0).length;
}

async function start(): Promise<void> {
  for (const { id } of await allArticles()) await remove(`/api/articles/${id}`);
  await client.post('/api/articles', { title: 'First' });
}

test('after random writes, localizations are linked, have distinct locales and equal shared values', async () => {
  const writes = fc.array(step, { minLength: 5, maxLength: 15 });
  let linked = 0;
  await fc.assert(
    fc.asyncProperty(writes, async (steps) => {
      await start();
      for (const one of steps) await take(one);
      linked += expectWholeGroups(await allArticles());
    }),
    { numRuns: scaled(4, 25), endOnFailure: true },
  );
  expect(linked).toBeGreaterThan(0);
});

test('after concurrent random writes, localizations are linked, have distinct locales and equal shared values', async () => {
  const writes = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 });
  let linked = 0;
  await fc.assert(
    fc.asyncProperty(writes, async (rounds) => {
      await start();
      for (const steps of rounds) await Promise.all(steps.map(take));
      linked += expectWholeGroups(await allArticles());
    }),
    { numRuns: scaled(4, 25), endOnFailure: true },
  );
  expect(linked).toBeGreaterThan(0);
});
