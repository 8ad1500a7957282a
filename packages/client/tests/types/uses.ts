/**
 * A program that uses the client; `../types.test.ts` compiles it. The compiler must refuse each line under
 * `@ts-expect-error`.
 */
import { createClient, type Blocks, type FileFormat } from 'content-service/client';
import type { ContentTypes } from './content.js';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** Compiles when both types are the same. */
const same = <A, B>(answer: Same<A, B>): unknown => answer;

export async function use(): Promise<void> {
  const client = createClient<ContentTypes>({ url: 'http://localhost:1337', token: 'x' });

  const plain = await client.find('articles');
  const { attributes } = plain.data[0]!;
  same<typeof attributes.title, string>(true);
  same<typeof attributes.readingMinutes, number | null>(true);
  same<typeof attributes.kind, 'feature' | 'essay' | 'interview' | 'recipe' | 'note' | null>(true);
  // @ts-expect-error -- private
  void attributes.editorNote;
  // @ts-expect-error -- not populated
  void attributes.author;

  const { data: chosen } = await client.findOne('articles', 1, { fields: ['title', 'kind'], populate: 'author' });
  same<keyof typeof chosen.attributes, 'title' | 'kind' | 'author'>(true);
  same<NonNullable<typeof chosen.attributes.author.data>['attributes']['name'], string>(true);

  const { data: keyed } = await client.findByKey('articles', 'slug', 'x', { fields: ['title'] });
  same<keyof typeof keyed.attributes, 'title'>(true);
  // @ts-expect-error -- not unique
  await client.findByKey('articles', 'title', 'x');
  // @ts-expect-error -- not a string
  await client.findByKey('tags', 'name', 1);
  // @ts-expect-error -- no entry is found by null, also where the attribute may be null
  await client.findByKey('articles', 'slug', null);
  // @ts-expect-error -- the same
  await client.upsert('tags', 'name', null, {});
  await client.create('tags', { name: 'Bread' }, {}, { idempotencyKey: 'a' });
  const { etag } = await client.findSingle('setting');
  await client.updateSingle('setting', {}, {}, { ifMatch: etag });
  // @ts-expect-error -- a condition of another kind
  await client.update('tags', 1, {}, {}, { ifNoneMatch: etag });
  const { data: upserted } = await client.upsert('tags', 'name', 'Bread', {}, { fields: ['name'] });
  same<keyof typeof upserted.attributes, 'name'>(true);
  await client.createByKey('articles', 'slug', 'x', { title: 'X', kind: 'essay' });
  await client.updateByKey('articles', 'slug', 'x', { summary: 'Short' });
  await client.deleteByKey('articles', 'slug', 'x', { populate: ['author'] });
  // @ts-expect-error -- an entry that is created has its required attributes
  await client.upsert('articles', 'slug', 'x', { summary: 'Short' });
  // @ts-expect-error -- not unique
  await client.deleteByKey('articles', 'title', 'x');
  await client.findOne('articles', 1, { locale: 'fr', fallbackLocale: ['en'], publicationState: 'preview' });

  const { data: batch } = await client.batch([
    { create: 'authors', as: 'ida', data: { name: 'Ida' } },
    { create: 'articles', data: { title: 'On Bread', author: '$ida', tags: { connect: ['$a', 1] } } },
    { update: 'tags', id: 1, data: { name: 'Bread' }, ifMatch: 'W/"a"' },
    { delete: 'tags', id: 2 },
  ]);
  same<(typeof batch)[1]['attributes']['title'], string>(true);
  same<(typeof batch)[3]['attributes']['name'], string>(true);
  // @ts-expect-error -- there are only four operations
  batch[4]?.id.toFixed();
  // @ts-expect-error -- a number is no title
  await client.batch([{ update: 'articles', id: 1, data: { title: 1 } }]);
  // @ts-expect-error -- unknown collection
  await client.batch([{ delete: 'loaves', id: 1 }]);
  // @ts-expect-error -- an operation has one action
  await client.batch([{ id: 1 }]);

  await client.batch([{ delete: 'tags', id: 2 }], { idempotencyKey: 'a' });

  const { data: counted } = await client.count('articles', { filters: { kind: 'essay' }, publicationState: 'preview' });
  same<typeof counted.count, number>(true);
  // @ts-expect-error -- a count has no fields
  await client.count('articles', { fields: ['title'] });

  const { data: groups } = await client.aggregate('articles', {
    filters: { featured: true },
    groupBy: ['author.name', 'publishedOn:month', 'tags.id'],
    sum: 'readingMinutes',
    min: ['title', 'author.name'],
    countDistinct: 'kind',
    having: { count: { $gte: 2 }, sum: { readingMinutes: { $gt: 3 } } },
    sort: 'count:desc',
    pagination: { pageSize: 5 },
    timeZone: 'Europe/Berlin',
  });
  type Found = (typeof groups)[number];
  same<
    Found['key'],
    { readonly 'author.name': string | null; readonly publishedOn: string | null; readonly 'tags.id': number | null }
  >(true);
  same<Found['sum'], { readonly readingMinutes: number }>(true);
  same<Found['min'], { readonly title: string | null; readonly 'author.name': string | null }>(true);
  same<Found['countDistinct'], { readonly kind: number }>(true);
  // @ts-expect-error -- it is not asked for
  void groups[0]?.avg;
  // @ts-expect-error -- articles have no name
  await client.aggregate('articles', { groupBy: 'name' });
  // @ts-expect-error -- not a part of a date
  await client.aggregate('articles', { groupBy: 'publishedOn:decade' });

  const { data: changes, meta } = await client.changes({
    types: ['articles'],
    filters: { articles: { kind: 'essay' } },
  });
  await client.changes({ since: meta.position, fields: { articles: ['title'] }, populate: { tags: '*' } });
  same<(typeof changes)[number]['id'], number>(true);
  // @ts-expect-error -- not a content type
  await client.changes({ types: ['pages'] });
  // @ts-expect-error -- tags have no title
  await client.changes({ fields: { tags: ['title'] } });

  await client.count('articles', { filters: { blocks: { $on: { 'blocks.quote': { text: { $contains: 'x' } } } } } });
  // @ts-expect-error -- not a string
  await client.count('articles', { filters: { blocks: { $on: { 'blocks.quote': { text: { $contains: 1 } } } } } });

  const { data: deep } = await client.findOne('articles', 1, { populate: 'deep,4' });
  void deep.attributes.author?.data?.attributes.articles?.data[0]?.attributes.title.length;
  // @ts-expect-error -- what the levels do not reach is missing
  void deep.attributes.seo.metaTitle;

  const { data: listed } = await client.find('articles', {
    filters: { kind: { $in: ['essay', 'note'] }, author: { name: { $startsWith: 'I' } }, $not: { featured: true } },
    sort: ['publishedOn:desc', 'author.name:asc'],
    populate: ['tags', 'seo', 'links', 'cover'],
    pagination: { page: 2, pageSize: 5 },
    publicationState: 'preview',
  });
  const [first] = listed;
  same<(typeof listed)[number]['attributes']['tags']['data'][number]['attributes']['name'], string>(true);
  void first?.attributes.seo?.metaTitle.length;
  void first?.attributes.links.map(({ id, label }) => `${id} ${label}`);
  void first?.attributes.cover.data?.attributes.url.length;
  const thumbnail = first?.attributes.cover.data?.attributes.formats?.thumbnail;
  same<typeof thumbnail, FileFormat | undefined>(true);
  void first?.attributes.cover.data?.attributes.formats?.['square']?.url.length;

  const { data: nested } = await client.findOne('articles', 1, {
    fields: 'title',
    populate: {
      author: { fields: ['name'], populate: { articles: { fields: ['slug'] } } },
      category: false,
      blocks: { on: { 'blocks.text': true, 'blocks.quote': { populate: ['source'] } } },
    },
  });
  same<keyof typeof nested.attributes, 'title' | 'author' | 'blocks'>(true);
  const author = nested.attributes.author.data;
  same<keyof NonNullable<typeof author>['attributes'], 'name' | 'articles'>(true);
  void author?.attributes.articles.data[0]?.attributes.slug?.length;
  for (const block of nested.attributes.blocks) {
    if (block.__component === 'blocks.text') void block.content.length;
    else void block.source.data?.attributes.name.length;
  }

  const { data: all } = await client.find('categories', { populate: '*' });
  void all[0]?.attributes.parent.data?.attributes.slug?.length;

  const { data: created } = await client.create(
    'articles',
    { title: 'On Bread', author: 3, tags: { connect: [1] }, blocks: [{ __component: 'blocks.text', content: 'x' }] },
    { populate: ['tags'] },
  );
  void created.attributes.tags.data.length;
  await client.create('articles', { publishedAt: null, seo: { metaTitle: 'x' } });
  await client.update('articles', created.id, { summary: null });
  await client.delete('articles', created.id);
  const home = await client.findSingle('homepage', { populate: { highlights: { fields: ['title'] } } });
  void home.data?.attributes.highlights.data[0]?.attributes.title.length;
  await client.updateSingle('setting', { siteName: 'Magazine' });

  // @ts-expect-error -- no such type
  await client.find('artciles');
  // @ts-expect-error -- of a single type there is no list
  await client.find('homepage');
  // @ts-expect-error -- no such field
  await client.find('articles', { fields: ['titel'] });
  // @ts-expect-error -- nothing to populate
  await client.find('articles', { populate: ['title'] });
  // @ts-expect-error -- no such parameter
  await client.find('articles', { filter: { title: 'x' } });
  // @ts-expect-error -- no such attribute
  await client.find('articles', { filters: { titel: 'x' } });
  // @ts-expect-error -- no number
  await client.find('articles', { filters: { readingMinutes: { $gt: 'ten' } } });
  // @ts-expect-error -- no such kind
  await client.create('articles', { title: 'x', kind: 'novel' });
  // @ts-expect-error -- a title is missing, and it is no draft
  await client.create('articles', { summary: 'x' });
  // @ts-expect-error -- authors have no drafts
  await client.create('authors', { publishedAt: null });
  // @ts-expect-error -- a component's value is missing
  await client.create('articles', { title: 'x', links: [{ url: '/' }] });
}

/** The text of an article in blocks. */
export function textOf(blocks: Blocks): string {
  const texts = blocks.map((block) => {
    if (block.type === 'heading') return `${'#'.repeat(block.level)} ${textOf([{ ...block, type: 'paragraph' }])}`;
    if (block.type === 'image') return block.image.alternativeText ?? '';
    if (block.type === 'list') return block.format;
    // @ts-expect-error -- only headings have a level
    void block.level;
    return block.children.map((child) => (child.type === 'link' ? child.url : child.text)).join('');
  });
  return texts.join('\n');
}
