import { createLocalization } from '../../../src/plugins/i18n/create-localization.js';
import { system } from '../../../src/documents/caller.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import type { EntryRequest } from '../../../src/documents/context.js';
import { REVIEW } from '../../../src/mongo/stored/review.js';
import { noChanges, type StoredValue } from '../../../src/query/mutation.js';
import type { Instance } from './world.js';

/** A request of our own code that wants to see nothing of the entry. */
export const request: EntryRequest = {
  caller: system,
  presenter: plainEntry,
  selection: { fields: [], populate: [] },
  unlimited: true,
};

export const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 1000 };

/** Creates a localization of a page. */
export const localize = ({ documents, entries, typeOf }: Instance, id: number, data: object): Promise<unknown> =>
  createLocalization({ documents, entries, limits }, typeOf('page'), id, data, request);

/** The tag of the requests to publish that are there. */
export const SEEDED = 'seeded';

/** Asks to publish an article, with a known tag. */
async function askFor({ documents, store, typeOf }: Instance, id: number): Promise<void> {
  const type = typeOf('article');
  await documents.reviews.ask(type, id, undefined, system);
  const [asked] = await store.reviews.read(type, [id]);
  const review = { ...asked?.review, tag: SEEDED } as unknown as StoredValue;
  await store.apply([{ kind: 'update', type, id, changes: { ...noChanges, values: new Map([[REVIEW, review]]) } }]);
}

/** The entries that all operations meet: few, so that each is linked to others in every way. */
export async function seed(instance: Instance): Promise<void> {
  const { entries } = instance;
  const create = async (type: string, data: object): Promise<void> => {
    await entries.create(type.includes(':') ? type : `api::${type}.${type}`, data as Record<string, unknown>);
  };
  for (const label of ['f1', 'f2', 'f3']) {
    await create('plugin::upload.file', {
      name: label,
      hash: label,
      mime: 'image/png',
      url: `/${label}`,
      size: 1,
      provider: 'local',
    });
  }
  for (const label of ['u1', 'u2', 'u3']) await create('author', { label });
  for (const label of ['c1', 'c2', 'c3']) await create('card', { label });
  for (const label of ['t1', 't2', 't3', 't4']) await create('tag', { label });
  const seo = { text: 'seo', key: 'k1', source: 1 };
  const blocks = [{ __component: 'part.quote', text: 'quote', source: 1 }];
  await create('article', {
    label: 'a1',
    title: 'one',
    code: 'x1',
    card: 1,
    author: 1,
    tags: [1, 2],
    cover: 1,
    gallery: [1],
    seo,
    blocks,
  });
  await create('article', { label: 'a2', title: 'two', author: 1, tags: [1] });
  await create('article', { label: 'a3', title: 'three', author: 2, tags: [3] });
  await create('article', { label: 'a4', title: 'four' });
  await create('article', { label: 'a5', title: 'five', publishedAt: null });
  const article = instance.typeOf('article');
  await instance.documents.update({ type: article, id: 4 }, { title: 'prepared' }, { ...request, status: 'draft' });
  for (const id of [4, 5]) await askFor(instance, id);
  const about = { __type: 'api::card.card', id: 1 };
  await create('remark', { label: 'r1', about, subjects: [{ __type: 'api::tag.tag', id: 1 }] });
  await create('remark', { label: 'r2', subjects: [{ __type: 'api::tag.tag', id: 1 }] });
  await create('remark', { label: 'r3' });
  await create('page', { label: 'p1', title: 'page', price: 1, stock: 1, serial: 's1', slug: 'one', locale: 'en' });
  await localize(instance, 1, { label: 'p1fr', title: 'page', slug: 'un', locale: 'fr' });
  const page = instance.typeOf('page');
  await instance.documents.update({ type: page, id: 1 }, { price: 4 }, { ...request, status: 'draft' });
  await instance.documents.update({ type: page, id: 2 }, { stock: 6 }, { ...request, status: 'draft' });
  await create('page', { label: 'p2', title: 'other', price: 2, serial: 's2', locale: 'en' });
  // Both had links to each other, and others to them.
  await create('author', { label: 'u4', articles: [3] });
  await create('article', { label: 'a6', title: 'six', author: 4, tags: [1], code: 'x6', card: 3 });
  await instance.documents.delete({ type: instance.typeOf('author'), id: 4 }, request);
  await instance.documents.delete({ type: article, id: 6 }, request);
}
