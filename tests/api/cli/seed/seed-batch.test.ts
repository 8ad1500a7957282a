import { expect, test } from '@jest/globals';
import { openReferenceIds } from '../../../../src/cli/commands/seed/reference-ids.js';
import { seedBatch } from '../../../../src/cli/commands/seed/seed-batch.js';
import { parseRow, type Failure } from '../../../../src/cli/commands/seed/row.js';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';

const client = useService();

/** Seeds rows of one type as one batch; returns the reported counts. */
async function seed(uid: string, key: string, rows: readonly Readonly<Record<string, unknown>>[]) {
  const { entries, registry } = client.service;
  const header = parseRow({ kind: 'value', line: 1, value: { $type: uid, $key: key }, read: 0 }, registry);
  if (header.kind !== 'section') throw new Error(JSON.stringify(header));
  const reported = { stored: 0, existing: 0, failures: [] as Failure[] };
  const reporter = {
    stored: () => void (reported.stored += 1),
    existing: () => void (reported.existing += 1),
    failed: (reasons: readonly Failure[]) => void reported.failures.push(...reasons),
  };
  const batch = {
    file: 'a.ndjson',
    section: header.section,
    rows: rows.map((data, index) => ({ line: index + 2, data })),
    failures: [],
    read: 0,
  };
  const referenceIds = await openReferenceIds(entries, registry.contentTypes);
  await seedBatch(batch, { registry, entries, referenceIds, stopping: new AbortController().signal, reporter });
  return reported;
}

test('seed stores rows that refer to each other in order of their references', async () => {
  const chain = Array.from({ length: 5 }, (_, index) => ({
    slug: `link-${index}`,
    name: `Link ${index}`,
    ...(index < 4 && { parent: { slug: `link-${index + 1}` } }),
  }));
  expect(await seed('api::category.category', 'slug', chain)).toEqual({ stored: 5, existing: 0, failures: [] });
  const { body } = await client.get('/api/categories?filters[slug]=link-0&populate[parent][populate]=parent');
  const { parent } = body.data[0].attributes;
  expect(parent.data.attributes.parent.data.attributes.slug).toBe('link-2');
});

test('seed reports each row of a circular reference with its missing target', async () => {
  const circle = [
    { slug: 'hen', name: 'Hen', parent: { slug: 'egg' } },
    { slug: 'egg', name: 'Egg', parent: { slug: 'hen' } },
  ];
  const { stored, failures } = await seed('api::category.category', 'slug', circle);
  expect(stored).toBe(0);
  expect(failures.map(({ line, path }) => [line, path])).toEqual([
    [2, 'parent'],
    [3, 'parent'],
  ]);
});

test('seed names the values of an enumeration and the components of a zone', async () => {
  const { failures } = await seed('api::article.article', 'slug', [
    { slug: 'wrong', title: 'Wrong', kind: 'poem', blocks: [{ __component: 'shared.seo', metaTitle: 'x' }] },
    { slug: 'wrong-kind', title: 'Wrong', kind: 'poem' },
  ]);
  expect(failures.map(({ line, path, rule }) => [line, path, rule])).toEqual([
    [2, 'blocks.0.__component', expect.stringMatching(/^must be one of (?:blocks\.\w+(?:, )?)+$/)],
    [3, 'kind', expect.stringMatching(/must be one of the following values: .*[^, ]$/)],
  ]);
});

test('seed resolves references in lists, components, zones and connect', async () => {
  const author = await client.create('authors', { name: 'Ida', email: 'ida@example.org' });
  await seed('api::tag.tag', 'name', [{ name: 'Sea' }, { name: 'Wind' }]);
  const row = {
    slug: 'north-light',
    title: 'North light',
    author: { email: 'ida@example.org' },
    tags: { connect: [{ name: 'Wind' }, { name: 'Sea' }] },
    blocks: [{ __component: 'blocks.quote', text: 'It turns.', source: { email: 'ida@example.org' } }],
  };
  expect(await seed('api::article.article', 'slug', [row])).toEqual({ stored: 1, existing: 0, failures: [] });
  const { body } = await client.get(
    '/api/articles?filters[slug]=north-light&populate[author]=*&populate[tags]=*&populate[blocks][populate]=*',
  );
  const { attributes } = body.data[0];
  expect(attributes.author.data.id).toBe(author);
  expect(attributes.tags.data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual([
    'Wind',
    'Sea',
  ]);
  expect(attributes.blocks[0].source.data.id).toBe(author);
});

test('seed identifies a localized entry by key and locale, and links it to its localizations', async () => {
  const { entries } = client.service;
  await entries.create('plugin::i18n.locale', { code: 'fr', name: 'French', isDefault: false });
  const rows = [
    { slug: 'bonjour', title: 'Bonjour', locale: 'fr', localizations: [{ slug: 'hello' }] },
    { slug: 'hello', title: 'Hello' },
  ];
  expect(await seed('api::article.article', 'slug', rows)).toEqual({ stored: 2, existing: 0, failures: [] });
  expect(await seed('api::article.article', 'slug', rows)).toEqual({ stored: 0, existing: 2, failures: [] });
  const found = await entries.findMany('api::article.article', {
    filters: { slug: 'hello' },
    populate: { localizations: { fields: ['slug', 'locale'] } },
  });
  expect(found).toMatchObject([{ locale: 'en', localizations: [{ slug: 'bonjour', locale: 'fr' }] }]);
});

test('seed stores a batch of many rows with few commands', async () => {
  await seed(
    'api::tag.tag',
    'name',
    Array.from({ length: 20 }, (_, index) => ({ name: `Few ${index}` })),
  );
  const rows = Array.from({ length: 200 }, (_, index) => ({
    slug: `cheap-${index}`,
    title: `Cheap ${index}`,
    author: { email: 'ida@example.org' },
    tags: [{ name: `Few ${index % 20}` }],
  }));
  let reported = { stored: 0 };
  const commands = await commandsOf(client.service, async () => {
    reported = await seed('api::article.article', 'slug', rows);
  });
  expect(reported).toEqual({ stored: 200, existing: 0, failures: [] });
  expect(commands.length).toBeLessThan(rows.length / 2);
});
