import type { Data } from '../../../config/record.js';
import { link } from '../../../content-types/link/link.js';
import type { ContentTypeDefinition } from '../../../content-types/model/definition.js';
import { createDocuments } from '../../../documents/documents.js';
import { createEntries, type Entries } from '../../../documents/entries.js';
import { createValidator } from '../../../documents/input/validate/validate.js';
import { createPasswords } from '../../../documents/write/passwords.js';
import { expectEqual } from '../../../mongo/probes/operator-probes.js';
import type { Asked, Probe } from '../../../mongo/probes/probe.js';
import { openStore } from '../../../mongo/store.js';

const relation = (kind: string, target: string, other: object) => ({
  type: 'relation',
  relation: kind,
  target,
  ...other,
});

const contentTypes: readonly ContentTypeDefinition[] = [
  {
    info: { singularName: 'book', pluralName: 'books' },
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'uid', targetField: 'title' },
      pages: { type: 'integer' },
      price: { type: 'decimal' },
      writer: relation('manyToOne', 'api::writer.writer', { inversedBy: 'books' }),
      genres: relation('manyToMany', 'api::genre.genre', { inversedBy: 'books' }),
      cover: { type: 'component', component: 'book.cover' },
      parts: { type: 'dynamiczone', components: ['book.cover'] },
    },
  },
  {
    info: { singularName: 'writer', pluralName: 'writers' },
    attributes: {
      name: { type: 'string' },
      books: relation('oneToMany', 'api::book.book', { mappedBy: 'writer' }),
      portrait: relation('oneToOne', 'api::portrait.portrait', { inversedBy: 'writer' }),
    },
  },
  {
    info: { singularName: 'genre', pluralName: 'genres' },
    attributes: {
      name: { type: 'string' },
      books: relation('manyToMany', 'api::book.book', { mappedBy: 'genres' }),
    },
  },
  {
    info: { singularName: 'portrait', pluralName: 'portraits' },
    attributes: { writer: relation('oneToOne', 'api::writer.writer', { mappedBy: 'portrait' }) },
  },
];

const registry = link({
  contentTypes: contentTypes.map((definition) => {
    const { singularName } = definition.info;
    return { uid: `api::${singularName}.${singularName}`, file: singularName, definition };
  }),
  components: [
    {
      uid: 'book.cover',
      file: 'book.cover',
      definition: { attributes: { colour: { type: 'string' }, genre: relation('oneToOne', 'api::genre.genre', {}) } },
    },
  ],
});

const [book, writer, genre, portrait] = ['book', 'writer', 'genre', 'portrait'].map(
  (name) => `api::${name}.${name}`,
) as [string, string, string, string];

type Step = readonly [name: string, run: (entries: Entries) => Promise<unknown>, result: unknown];

const titles = (found: unknown): readonly unknown[] => valuesOf('title', found);
const names = (found: unknown): readonly unknown[] => valuesOf('name', found);
const valuesOf = (attribute: string, found: unknown): readonly unknown[] =>
  (found as readonly Data[]).map((entry) => entry[attribute]);

/** Requests as clients send them, in order, with what Strapi v4 answers. */
const steps: readonly Step[] = [
  [
    'create entries with relations, components and zones',
    async (entries) => {
      for (const name of ['Ada', 'Bob']) await entries.create(writer, { name });
      for (const name of ['prose', 'verse']) await entries.create(genre, { name });
      for (const [title, pages, genres] of [['Beta', 10, [1, 2]], ['alpha', null, [2]], ['Gamma', 30, [1]]] as const)
        await entries.create(book, { title, pages, price: 9.95, writer: 1, genres, cover: { colour: 'red', genre: 2 }, parts: [{ __component: 'book.cover', colour: title }] });
      return entries.count(book);
    },
    3,
  ], // prettier-ignore
  ['sort', async (entries) => titles(await entries.findMany(book, { sort: 'pages,title:desc' })), ['alpha', 'Beta', 'Gamma']],
  [
    'filter through relations, components and logic',
    async (entries) =>
      titles(await entries.findMany(book, { filters: { $or: [{ genres: { name: { $containsi: 'PRO' } } }, { pages: { $null: true } }], cover: { colour: { $ne: 'blue' } }, price: { $gt: '9.9' } } })),
    ['Beta', 'alpha', 'Gamma'],
  ],
  [
    'populate',
    async (entries) => {
      const populate = { books: { sort: 'title:desc', populate: ['genres', 'cover.genre', 'parts'] } };
      const found = (await entries.findOne(writer, 1, { populate })) as { books?: { title: string; genres: unknown; cover: { genre: { name: string } } }[] };
      return found.books?.map(({ title, genres, cover }) => [title, names(genres), cover.genre.name]);
    },
    [['alpha', ['verse'], 'verse'], ['Gamma', ['prose'], 'verse'], ['Beta', ['prose', 'verse'], 'verse']],
  ],
  [
    'change both sides of a relation',
    async (entries) => {
      await entries.update(writer, 2, { books: { connect: [{ id: 3 }, { id: 1, position: { before: 3 } }] } });
      const { books } = await entries.findOne(writer, 2, { populate: 'books' });
      return titles(books);
    },
    ['Beta', 'Gamma'],
  ],
  [
    'take over a one-to-one relation',
    async (entries) => {
      await entries.create(portrait, { writer: 1 });
      await entries.update(writer, 2, { portrait: 1 });
      const [first, second] = await entries.findMany(writer, { populate: 'portrait' });
      return [first?.['portrait'] ?? null, (second?.['portrait'] as { id: number } | null)?.id];
    },
    [null, 1],
  ],
  [
    'refuse a duplicate',
    (entries) => entries.create(book, { title: 'x', slug: 'same' }).then(() => entries.create(book, { title: 'y', slug: 'same' })).then(() => 'stored', () => 'refused'),
    'refused',
  ],
  [
    'delete an entry that others refer to',
    async (entries) => {
      await entries.delete(genre, 1);
      const { genres } = await entries.findOne(book, 1, { populate: 'genres' });
      return names(genres);
    },
    ['verse'],
  ],
]; // prettier-ignore

/** Milliseconds for a command: those of other continents take long. */
const TIMEOUT_MS = 20_000;

/** The service itself, on the database that is asked: each step is a probe. */
export function createCorpusProbes(): readonly Probe[] {
  let opened: Promise<Entries> | undefined;
  return steps.map(([name, run, result]) => ({
    name: `the service: ${name}`,
    use: name === 'sort' || name === 'populate' || name.startsWith('filter') ? 'reads' : 'writes',
    ask: async (asked) => expectEqual(await run(await (opened ??= openCorpus(asked))), result),
  }));
}

async function openCorpus({ db }: Asked): Promise<Entries> {
  const store = openStore(db, { timeout: TIMEOUT_MS, exclusive: false });
  await store.prepare(registry);
  const rules = {
    registry,
    store,
    validator: createValidator(registry),
    passwords: createPasswords(4),
    dataBounds: { components: 1000, relatedEntries: 100, jsonValues: 50_000 },
  };
  const documents = createDocuments(rules);
  const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 100, deepLevels: 5 };
  return createEntries(documents, registry, limits);
}
