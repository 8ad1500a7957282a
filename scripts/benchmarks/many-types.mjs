import fs from 'node:fs';
import path from 'node:path';

const reference = (relation, target, more = {}) => ({ type: 'relation', relation, target, ...more });
const uid = (number) => `api::kind-${number}.kind-${number}`;

const components = {
  seo: { title: { type: 'string', required: true }, description: { type: 'text' }, image: { type: 'media' } },
  link: { label: { type: 'string' }, url: { type: 'string', required: true } },
  quote: { text: { type: 'text' }, source: reference('oneToOne', uid(1)) },
};

/** A content type with what people give theirs: values of all sorts, relations both ways, components, and a zone. */
const kind = (number, count) => ({
  kind: 'collectionType',
  collectionName: `kinds_${number}`,
  info: { singularName: `kind-${number}`, pluralName: `kinds-${number}`, displayName: `Kind ${number}` },
  options: { draftAndPublish: number % 3 === 0, indexes: [{ views: -1 }] },
  attributes: {
    title: { type: 'string', required: true, maxLength: 200 },
    slug: { type: 'uid', targetField: 'title' },
    body: { type: 'richtext' },
    level: { type: 'enumeration', enum: ['low', 'middle', 'high'], default: 'low' },
    views: { type: 'integer', min: 0 },
    featured: { type: 'boolean', default: false },
    since: { type: 'datetime' },
    extra: { type: 'json' },
    next: reference('manyToOne', uid((number % count) + 1), { inversedBy: 'former' }),
    former: reference('oneToMany', uid(((number + count - 2) % count) + 1), { mappedBy: 'next' }),
    friends: reference('manyToMany', uid(((number + 6) % count) + 1)),
    seo: { type: 'component', repeatable: false, component: 'parts.seo' },
    links: { type: 'component', repeatable: true, component: 'parts.link' },
    blocks: { type: 'dynamiczone', components: ['parts.link', 'parts.quote'] },
  },
});

/** Writes so many content types into a folder, for anybody to read. Returns the folder. */
export function writeContentTypes(folder, count) {
  const write = (name, content) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(content, undefined, 2));
  };
  for (const [name, attributes] of Object.entries(components)) {
    const collectionName = `components_parts_${name}`;
    write(`components/parts/${name}.json`, { collectionName, info: { displayName: name }, attributes });
  }
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const number of numbers) write(`kind-${number}.json`, kind(number, count));
  const permissions = numbers.flatMap((number) => [`${uid(number)}.find`, `${uid(number)}.findOne`]);
  write('access.json', { roles: { public: { permissions } } });
  return folder;
}

/** Some entries of each kind as the service stores them, every second of the kinds with drafts a draft. */
export async function seedKinds(db, count, entries = 10) {
  const since = new Date('2024-05-01T12:00:00Z');
  const entry = (number, _id) => ({
    _id,
    title: `Entry ${_id} of kind ${number}`,
    slug: `entry-${_id}`,
    level: 'low',
    views: 10 * _id,
    featured: false,
    next: _id,
    _rank: { next: _id },
    createdAt: since,
    updatedAt: since,
    ...(number % 3 === 0 && _id % 2 === 0 ? {} : { publishedAt: since, ...(number % 3 === 0 && { _live: 1 }) }),
  });
  const ids = Array.from({ length: entries }, (_, index) => index + 1);
  for (let number = 1; number <= count; number++) {
    await db.collection(`kinds_${number}`).insertMany(ids.map((id) => entry(number, id)));
    await db.collection('_counters').insertOne({ _id: uid(number), id: entries, rank: entries });
  }
}
