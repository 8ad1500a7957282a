import { describe, expect, test } from '@jest/globals';
import { changesOf, creationOf } from '../../src/browser/model/body.js';
import { differencesOf, merge } from '../../src/browser/form/compare/compare.js';
import { copyOf } from '../../src/browser/model/copy.js';
import { mistakenLine } from '../../src/browser/inputs/json/json.js';
import { english } from '../../src/browser/language/english/english.js';
import { findIssues } from '../../src/browser/model/rules.js';
import { stringsIn } from '../../src/browser/model/scalars.js';
import { labelOf, titleAttribute, type MediaAttribute } from '../../src/browser/model/schema.js';
import { LINKS_LIMIT, newPart, newValues, valuesOf, withValue, type Values } from '../../src/browser/model/values.js';
import { article, content } from './content.js';

const post = { ...article, attributes: article.attributes.map((own) => ({ ...own, generated: false })) };

const check = { publishing: false, texts: english.rules, mistakenLine };

const empty = newValues(content, article, 'new');
const link = { ...newPart(content, 'shared.link', 'a'), values: { label: 'One', key: 'k', url: '' } };
const cover: MediaAttribute = {
  name: 'cover',
  label: 'Cover',
  type: 'media',
  multiple: false,
  kinds: [],
  required: false,
  read: true,
  create: true,
  update: true,
};
const complete: Values = { ...empty, title: 'Bread', secret: 'hidden', links: [link] };

describe('the rules of a form', () => {
  test.each<[string, Values, readonly string[]]>([
    ['a complete entry', {}, []],
    ['a missing value', { title: '' }, ['title: Required']],
    ['a short text', { title: 'B' }, ['title: At least 3 characters']],
    ['a long text', { title: 'Breads' }, ['title: At most 5 characters']],
    ['a uid with spaces', { slug: 'a b' }, ['slug: Only letters, digits and -_.~ without spaces']],
    ['a fraction', { rating: '1.5' }, ['rating: Must be a number without fraction']],
    ['a large number', { rating: '6' }, ['rating: At most 5']],
    ['a small integer of 64 bits', { serial: '9' }, ['serial: At least 10']],
    ['no time', { opensAt: '25:00' }, ['opensAt: Must be a time: 09:30']],
    ['no date', { startsAt: 'soon' }, ['startsAt: Must be a date with a time']],
    ['no address', { email: 'a b@c' }, ['email: Must be an email address']],
    ['no JSON', { meta: '{\n  "a": 1,\n  "b": x\n}' }, ['meta: Must be JSON: see line 3']],
    ['too many components', { links: [link, link, link] }, ['links: At most 2 elements']],
    [
      'a component',
      { links: [link, { ...link, values: { label: '', key: 'k', url: 'x' } }] },
      ['links.1.label: Required', 'links.1.url: Must match ^/'],
    ],
  ])('%s', (_, changes, expected) => {
    const issues = findIssues(content, article, { ...complete, ...changes }, { ...check, draft: false, stored: false });
    expect(issues.map(({ path, message }) => `${path}: ${message}`)).toEqual(expected);
  });

  test('a draft may lack values and be short, but not be long', () => {
    const draft = { ...check, draft: true, stored: false };
    expect(findIssues(content, article, { ...empty, title: 'B' }, draft)).toEqual([]);
    expect(findIssues(content, article, { ...empty, title: 'Breads' }, draft)).toHaveLength(1);
  });

  test.each(['author', 'cover'])(
    'what is new or about to be published must have what is required: %s; a stored entry may have lost it',
    (name) => {
      const attributes = [...article.attributes, cover].map((own) => ({ ...own, required: own.name === name }));
      const find = (draft: boolean, stored: boolean, publishing = false) =>
        findIssues(content, { ...article, attributes }, complete, { ...check, draft, stored, publishing }).map(
          ({ path }) => path,
        );
      expect([find(false, false), find(false, true, true)]).toEqual([[name], [name]]);
      expect([find(true, false), find(false, true)]).toEqual([[], []]);
    },
  );

  test('hidden values of stored entries and components need not be typed again', () => {
    const values = { ...complete, secret: '', links: [{ ...link, id: 7, values: { ...link.values, key: '' } }] };
    expect(findIssues(content, article, values, { ...check, draft: false, stored: true })).toEqual([]);
    expect(findIssues(content, article, values, { ...check, draft: false, stored: false })).toHaveLength(1);
  });
});

describe('the data that a form sends', () => {
  test('of a new entry has all values that are not empty', () => {
    expect(creationOf(content, article, { ...complete, rating: '4', opensAt: '09:30' })).toEqual({
      title: 'Bread',
      secret: 'hidden',
      rating: 4,
      opensAt: '09:30:00.000',
      links: [{ label: 'One', key: 'k' }],
    });
  });

  test('of a new entry has required lists of components, also if they are empty', () => {
    const attributes = article.attributes.map((own) => (own.name === 'links' ? { ...own, required: true } : own));
    expect(creationOf(content, { ...article, attributes }, { ...empty, title: 'Bread' })).toEqual({
      title: 'Bread',
      links: [],
    });
  });

  test('of an update has only what changed; components keep their ids and hidden values', () => {
    const before = { ...complete, links: [{ ...link, id: 7, values: { ...link.values, key: '' } }] };
    const after = {
      ...before,
      rating: '2',
      title: 'Bread',
      links: [{ ...before.links[0]!, values: { ...link.values, key: '', label: '' } }],
    };
    expect(changesOf(content, article, before, after)).toEqual({
      rating: 2,
      links: [{ id: 7, label: null, url: null }],
    });
  });

  test('connects and disconnects entries of a list that is longer than what was read', () => {
    const ids = Array.from({ length: LINKS_LIMIT + 1 }, (_, index) => ({ id: index + 1, attributes: {} }));
    const values = valuesOf(content, article, { tags: { data: ids } });
    const tags = values['tags'] as Extract<Values[string], { readonly truncated: boolean }>;
    const [first, ...others] = tags.items;
    const added = { id: 900, uid: 'api::tag.tag', title: 'New' };
    const after = { ...values, tags: { ...tags, items: [...others, added] } };
    expect(changesOf(content, article, values, after)).toEqual({ tags: { connect: [900], disconnect: [first?.id] } });
  });
});

const hyphenate = (text: string): string => text.toLowerCase().replaceAll(' ', '-');

test.each<[string, Values, boolean, string]>([
  ['follows its text', { title: '', slug: '' }, true, 'rye-bread'],
  ['follows a text that changes', { title: 'Rye', slug: 'rye' }, true, 'rye-bread'],
  ['stays once it was typed', { title: 'Rye', slug: 'loaf' }, true, 'loaf'],
  ['stays once it is stored', { title: 'Rye', slug: 'rye' }, false, 'rye'],
])('a uid %s', (_, values, isNew, expected) => {
  expect(withValue(post, values, 'title', 'Rye Bread', isNew ? hyphenate : undefined)).toEqual({
    title: 'Rye Bread',
    slug: expected,
  });
});

test('a uid that the service generates stays empty, and only a new entry may lack it', () => {
  const typed = withValue(article, { title: '', slug: '' }, 'title', 'Rye', hyphenate);
  expect(typed).toEqual({ title: 'Rye', slug: '' });
  const published = { ...check, draft: false, stored: false };
  const values = { ...complete, slug: '' };
  expect(findIssues(content, article, values, published)).toEqual([]);
  expect(findIssues(content, post, values, published)).toEqual([{ path: 'slug', message: 'Required' }]);
});

test('a copy has new components, and nothing that must be unique', () => {
  const copy = copyOf(article, { ...complete, slug: 'bread', links: [{ ...link, id: 7 }] });
  expect(copy).toMatchObject({ title: 'Bread', slug: '', links: [{ component: 'shared.link' }] });
  expect(JSON.stringify(copy)).not.toContain('"id":7');
});

test('two versions differ where one of them changed, and both can be merged', () => {
  const versions = {
    base: complete,
    mine: { ...complete, title: 'Mine', rating: '1' },
    theirs: { ...complete, title: 'Other', email: 'a@b.org' },
  };
  const differences = differencesOf(content, article, versions).map(({ attribute, by }) => [attribute.name, by]);
  expect(differences).toEqual([
    ['title', 'both'],
    ['rating', 'me'],
    ['email', 'them'],
  ]);
  expect(merge(versions, new Set(['rating']))).toEqual({ ...versions.theirs, rating: '1' });
});

test('lists of strings are edited in rows, others are not', () => {
  expect(['', '[]', '["a",""]', '["a",1]', '{}', '['].map(stringsIn)).toEqual([
    [],
    [],
    ['a', ''],
    undefined,
    undefined,
    undefined,
  ]);
});

test('names are shown as words, and entries by their title', () => {
  expect(['metaTitle', 'og_title', 'SEOCard', 'a'].map(labelOf)).toEqual(['Meta title', 'Og title', 'SEOCard', 'A']);
  expect(titleAttribute(article)?.name).toBe('title');
});
