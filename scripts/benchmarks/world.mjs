/**
 * The world that every system is filled with: authors, categories, tags and articles, the same each time. Article i
 * depends on i alone, so a smaller world is the beginning of a larger one. Ids begin at 1.
 */
const sizes = { authors: 200, categories: 50, tags: 300 };
const rootCategories = 10;

export const kinds = ['news', 'review', 'opinion', 'guide'];
export const firstNames = 'Alma Bruno Carla Denis Edith Felix Gerda Henri Irene Jakob'.split(' ');
export const lastNames = (
  'Adler Berger Conti Duval Engel Ferrari Gruber Hansen Ito Jansen ' +
  'Keller Lindgren Moreau Nielsen Okafor Pereira Ricci Santos Tamm Vargas'
).split(' ');
const vocabulary = (
  'amber basil cedar delta eagle fable glass hazel inlet jewel karst lilac maple night ocean pearl ' +
  'quartz ridge sable torch umber violet willow yarrow zephyr anchor beacon cobalt drift ember fjord grove'
).split(' ');

/** A sequence of numbers in [0, 1) that depends on the seed alone. Source: Tommy Ettinger's mulberry32. */
export function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const upTo = (random, highest) => 1 + Math.floor(random() * highest);
const pick = (random, list) => list[Math.floor(random() * list.length)];
const phrase = (random, length) => Array.from({ length }, () => pick(random, vocabulary)).join(' ');
const minute = (id) => new Date(Date.UTC(2024, 0, 1, 0, id));
const written = (id) => ({ createdAt: minute(id), updatedAt: minute(id) });

export const authorName = (id) => `${firstNames[(id - 1) % 10]} ${lastNames[Math.floor((id - 1) / 10)]}`;

const author = (id) => ({
  id,
  name: authorName(id),
  email: `author${id}@example.org`,
  bio: phrase(randomFrom(1_000_000 + id), 20),
  ...written(id),
});

const category = (id) => ({
  id,
  name: `Category ${id}`,
  slug: `category-${id}`,
  ...(id > rootCategories && { parent: 1 + ((id - 1) % rootCategories) }),
  ...written(id),
});

export const tagName = (id) => `${vocabulary[id % vocabulary.length]}-${id}`;

const tag = (id) => ({
  id,
  name: tagName(id),
  color: `#${((id * 70_001) % 2 ** 24).toString(16).padStart(6, '0')}`,
  ...written(id),
});

const list = (length, make) => Array.from({ length }, (_, index) => make(index + 1));
export const authors = () => list(sizes.authors, author);
export const categories = () => list(sizes.categories, category);
export const tags = () => list(sizes.tags, tag);

/** An article of about 2 kB. Related entries are ids; blocks name their component without its category. */
export function article(id) {
  const random = randomFrom(Math.imul(id, 0x9e3779b1));
  const title = `${phrase(random, 5)} ${id}`;
  const blocks = [
    { component: 'text', heading: phrase(random, 4), content: phrase(random, 40) },
    { component: 'quote', text: phrase(random, 15), source: upTo(random, sizes.authors) },
    { component: 'promo', title: phrase(random, 4), url: `/promo/${upTo(random, 1000)}` },
  ];
  const first = id % blocks.length;
  return {
    id,
    title,
    slug: title.replaceAll(' ', '-'),
    body: phrase(random, 155),
    kind: pick(random, kinds),
    views: Math.floor(random() * 100_000),
    rating: Math.round(random() * 500) / 100,
    author: upTo(random, sizes.authors),
    category: upTo(random, sizes.categories),
    tags: distinct(random, 2 + upTo(random, 4), sizes.tags),
    seo: { metaTitle: title.slice(0, 60), metaDescription: phrase(random, 12), noIndex: random() < 0.1 },
    links: [1, 2].map((n) => ({
      label: phrase(random, 2),
      url: `https://example.org/${id}/${n}`,
      external: n === 2,
    })),
    blocks: [...blocks.slice(first), ...blocks.slice(0, first)],
    ...written(id),
    publishedAt: minute(id + 10),
  };
}

function distinct(random, length, highest) {
  const ids = new Set();
  while (ids.size < length) ids.add(upTo(random, highest));
  return [...ids];
}
