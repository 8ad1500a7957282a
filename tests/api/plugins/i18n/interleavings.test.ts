import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import type { Document } from 'mongodb';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { Changes, StoredValue, Write } from '../../../../src/query/mutation.js';
import { useService } from '../../../support/service.js';
import { scaled } from '../../../support/scaled.js';

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'fr', 'de', 'es'] } } } });

function typeOf(): ContentType {
  const type = client.service.registry.contentTypes.get('api::article.article');
  if (type === undefined) throw new Error('There are no articles');
  return type;
}

const nothing = { paths: [], remove: [], add: [] };
const NAMES = ['views', 'kind'];

interface Group {
  readonly type: ContentType;
  readonly en: number;
  readonly fr: number;
  readonly at: Date;
}

const reserve = async ({ type }: Group, ids: number) =>
  openCounters(client.service.database.db).reserve(type.uid, { ids, ranks: 1 });

const changesOf = ({ at }: Group, values: Readonly<Record<string, StoredValue>>, more: Partial<Changes>): Changes => ({
  values: new Map<string, StoredValue>([...Object.entries(values), ['updatedAt', at]]),
  merges: new Map(),
  links: [],
  references: nothing,
  uniqueKeys: nothing,
  ...more,
});

const share = ({ type, en, at }: Group, id: number, names: readonly string[], links: boolean): Write => {
  return { kind: 'share', type, id, from: en, names, links, at };
};

/** The steps of a request that changes a shared value. */
async function update(group: Group, id: number, name: string, value: StoredValue): Promise<readonly Write[]> {
  const { rank } = await reserve(group, 0);
  const changes = changesOf(group, { [name]: value }, { stamps: new Map([[name, rank]]) });
  return [{ kind: 'update', type: group.type, id, changes }, share(group, id, [name], false)];
}

/** The steps of a request that creates a localization: what it read before is what the group had at first. */
async function join(group: Group, locale: string, written: Readonly<Record<string, StoredValue>>) {
  const attribute = group.type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') throw new Error('localizations is no relation');
  const { id, rank } = await reserve(group, 1);
  const connect = [
    { id: group.en, position: { at: 'end' }, locale: 'en' },
    { id: group.fr, position: { at: 'end' }, locale: 'fr' },
  ] as const;
  const links = [{ attribute, replaces: true, disconnect: [], connect, ranks: ['en', 'fr'] }];
  const stamps = new Map(Object.keys(written).map((name) => [name, rank]));
  const values = { title: locale, locale, views: 1, kind: 'news', ...written };
  const insert: Write = { kind: 'insert', type: group.type, id, changes: changesOf(group, values, { links, stamps }) };
  return { id, steps: [insert, share(group, id, NAMES, true), share(group, id, NAMES, true)] };
}

const stored = (ids: readonly number[]): Promise<readonly Document[]> =>
  client.service.database.db
    .collection<{ _id: number }>('articles')
    .find({ _id: { $in: [...ids] } })
    .toArray();

test('every interleaving of writers leaves the value with the highest number and linked localizations', async () => {
  const type = typeOf();
  const order = fc.array(fc.nat(4), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(order, async (turns) => {
      const en = await client.create('articles', { title: 'en', views: 1, kind: 'news' });
      const fr = (await client.service.entries.create(type.uid, { title: 'fr', locale: 'fr', localizations: [en] })).id;
      const group: Group = { type, en, fr, at: new Date() };
      const german = await join(group, 'de', {});
      const spanish = await join(group, 'es', { kind: 'opinion' });
      const writers = [
        await update(group, en, 'views', 2),
        await update(group, fr, 'views', 3),
        await update(group, fr, 'kind', 'review'),
        german.steps,
        spanish.steps,
      ].map((steps) => [...steps]);
      const store = openStore(client.service.database.db, { timeout: 5000, exclusive: true });
      for (const turn of turns) {
        const waiting = writers.filter((steps) => steps.length > 0);
        const step = waiting[turn % waiting.length]?.shift();
        if (step !== undefined) await store.apply([step]);
      }
      const ids = [en, fr, german.id, spanish.id].toSorted((a, b) => a - b);
      const found = await stored(ids);
      expect(found.map(({ views, kind }) => `${views} ${kind}`)).toEqual(ids.map(() => '3 review'));
      for (const { _id, localizations, _rank: rank } of found) {
        expect([_id, ...localizations].toSorted((a, b) => a - b)).toEqual(ids);
        expect(new Set(rank.localizations).size).toBe(3);
      }
    }),
    { numRuns: scaled(8, 40), endOnFailure: true },
  );
});
