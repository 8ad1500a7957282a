/**
 * A program that uses the client in the format of Strapi 5; `../types.test.ts` compiles it. The compiler must refuse
 * each line under `@ts-expect-error`.
 */
import { createClient } from 'content-service/client';
import type { ContentTypes } from './documents.js';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** Compiles when both types are the same. */
const same = <A, B>(answer: Same<A, B>): unknown => answer;

export async function use(): Promise<void> {
  const client = createClient<ContentTypes>({ url: 'http://localhost:1337', token: 'x', format: 5 });

  const { data, meta } = await client.find('articles');
  const plain = data[0]!;
  same<typeof plain.documentId, string>(true);
  same<typeof plain.id, number>(true);
  same<typeof plain.title, string>(true);
  same<typeof plain.readingMinutes, number | null>(true);
  same<typeof plain.publishedAt, string | null>(true);
  same<typeof meta.pagination.total, number | undefined>(true);
  // @ts-expect-error -- not populated
  void plain.author;
  // @ts-expect-error -- private
  void plain.editorNote;
  // @ts-expect-error -- flat
  void plain.attributes;
  // Types without drafts have it too.
  same<Awaited<ReturnType<typeof client.find<'tags'>>>['data'][number]['publishedAt'], string>(true);

  const { data: chosen } = await client.findOne('articles', 'x', { fields: ['title', 'kind'], populate: 'author' });
  same<keyof typeof chosen, 'id' | 'documentId' | 'title' | 'kind' | 'author'>(true);
  same<NonNullable<typeof chosen.author>['name'], string>(true);
  // @ts-expect-error -- entries have no numbers in paths
  await client.findOne('articles', 1);

  const { data: listed } = await client.find('articles', {
    filters: { documentId: { $in: ['a', 'b'] }, author: { documentId: 'c', name: { $startsWith: 'I' } } },
    sort: ['publishedOn:desc', 'author.name:asc'],
    populate: {
      tags: { fields: ['name'], filters: { name: 'x' }, sort: 'name' },
      related: { count: true },
      seo: true,
      links: true,
      cover: { fields: ['url'] },
      blocks: { on: { 'blocks.text': true, 'blocks.quote': { populate: ['source'] } } },
    },
    pagination: { page: 2, pageSize: 5 },
    status: 'draft',
    publicationFilter: 'modified',
    locale: '*',
  });
  const first = listed[0]!;
  same<(typeof first)['tags'][number]['name'], string>(true);
  same<(typeof first)['related'], { readonly count: number }>(true);
  void first.seo?.metaTitle.length;
  void first.links.map(({ id, label }) => `${id} ${label}`);
  void first.cover?.url.length;
  for (const block of first.blocks) {
    if (block.__component === 'blocks.text') void block.content.length;
    else void block.source?.name.length;
  }

  const { data: created } = await client.create(
    'articles',
    {
      title: 'On Bread',
      author: 'documentIdOfAuthor',
      tags: { connect: [{ documentId: 'x', locale: 'fr', position: { start: true } }, 1] },
      blocks: [{ __component: 'blocks.text', content: 'x' }],
    },
    { populate: ['tags'], locale: 'en' },
    { idempotencyKey: 'a' },
  );
  void created.tags.length;
  await client.create('articles', { summary: 'x' }, { status: 'draft' });
  const { etag } = await client.findOne('articles', created.documentId);
  await client.update('articles', created.documentId, { summary: null }, { locale: 'fr' }, { ifMatch: etag });
  await client.delete('articles', created.documentId, { locale: '*' });
  const home = await client.findSingle('homepage', { populate: { highlights: { fields: ['title'] } } });
  void home.data.highlights[0]?.title.length;
  await client.updateSingle('setting', { siteName: 'Magazine' }, { status: 'draft' });
  await client.deleteSingle('setting');

  // @ts-expect-error -- a title is missing, and it is no draft
  await client.create('articles', { summary: 'x' });
  // @ts-expect-error -- authors have no drafts
  await client.create('authors', {}, { status: 'draft' });
  // @ts-expect-error -- the address says what becomes of an entry
  await client.create('articles', { title: 'x', publishedAt: null });
  // @ts-expect-error -- no such status
  await client.find('articles', { status: 'live' });
  // @ts-expect-error -- a parameter of the other format
  await client.find('articles', { publicationState: 'preview' });
  // @ts-expect-error -- lists within entries have no limit
  await client.find('articles', { populate: { tags: { limit: 3 } } });
  // @ts-expect-error -- names, not levels
  await client.find('articles', { populate: 'deep' });
  // @ts-expect-error -- filters do not lead into zones
  await client.find('articles', { filters: { blocks: { $on: {} } } });
  // @ts-expect-error -- only in the other format
  await client.count('articles');
  const { data: groups } = await client.aggregate('articles', {
    status: 'draft',
    groupBy: 'author.name',
    max: 'readingMinutes',
  });
  same<(typeof groups)[number]['max'], { readonly readingMinutes: number | null }>(true);
  // @ts-expect-error -- groups have no fields
  await client.aggregate('articles', { fields: ['title'] });
  // @ts-expect-error -- only in the other format
  await client.batch([]);
}
