import { describe, expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import type { AttributeDefinition } from '../../../src/content-types/model/definition.js';
import type { ContentType, RelationAttribute, ScalarAttribute } from '../../../src/content-types/model/types.js';
import type { Data } from '../../../src/config/record.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';

type Attributes = Readonly<Record<string, AttributeDefinition>>;

const relation = (kind: string, target: string, other: object = {}): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...other,
});

/** Links content types as those of a Strapi project. */
function linkLeniently(types: Readonly<Record<string, Attributes>>, pluginOptions: object = {}) {
  const warnings: string[] = [];
  const contentTypes = Object.entries(types).map(([name, attributes]) => ({
    uid: `api::${name}.${name}`,
    file: `${name}.json`,
    definition: {
      info: { singularName: name, pluralName: `${name}s` },
      attributes,
      pluginOptions: { ...pluginOptions },
    },
  }));
  const registry = link({ contentTypes, components: [], lenient: true }, { warn: (line) => void warnings.push(line) });
  const sideOf = (name: string, attribute: string): string => {
    const found = registry.contentTypes.get(`api::${name}.${name}`)?.attributes.get(attribute) as RelationAttribute;
    return `${found.side} ${found.inverse ?? '-'}`;
  };
  return { registry, warnings, sideOf };
}

describe('relations of a Strapi project that contradict each other', () => {
  test('two sides with inversedBy are one relation, stored by the later one', () => {
    const { sideOf, warnings } = linkLeniently({
      page: { sections: relation('manyToMany', 'section', { inversedBy: 'pages' }) },
      section: { pages: relation('manyToMany', 'page', { inversedBy: 'sections' }) },
    });
    expect([sideOf('page', 'sections'), sideOf('section', 'pages')]).toEqual(['inverse pages', 'owner sections']);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toBe(
      'page.json: attributes.sections.inversedBy "pages" of "api::section.section" must have "mappedBy": "sections": ' +
        'it is the other side of "pages" of "api::section.section", as in Strapi v4',
    );
  });

  test('the to-one side stores the link, whichever side is declared last', () => {
    const { sideOf } = linkLeniently({
      book: { author: relation('manyToOne', 'author', { inversedBy: 'books' }) },
      author: { books: relation('oneToMany', 'book', { inversedBy: 'author' }) },
    });
    expect([sideOf('book', 'author'), sideOf('author', 'books')]).toEqual(['owner books', 'inverse author']);
  });

  test('of two relations with the same other side the later one is paired, and the other is one-way', () => {
    const { sideOf } = linkLeniently({
      page: {
        first: relation('manyToOne', 'tag', { inversedBy: 'pages' }),
        second: relation('manyToOne', 'tag', { inversedBy: 'pages' }),
      },
      tag: { pages: relation('oneToMany', 'page', { mappedBy: 'first' }) },
    });
    expect([sideOf('page', 'first'), sideOf('page', 'second'), sideOf('tag', 'pages')]).toEqual([
      'owner -',
      'owner pages',
      'inverse second',
    ]);
  });

  test.each([
    ['an attribute that is not there', relation('oneToMany', 'page', { mappedBy: 'nothing' })],
    ['one that does not name it', relation('oneToMany', 'page', { mappedBy: 'tag' })],
    ['one that leads elsewhere', relation('oneToMany', 'page', { mappedBy: 'author' })],
  ])('mappedBy to %s leaves the relation empty', (_, pages) => {
    const { sideOf, warnings } = linkLeniently({
      author: { name: { type: 'string' } },
      page: { tag: relation('manyToOne', 'tag'), author: relation('manyToOne', 'author') },
      tag: { pages },
    });
    expect(sideOf('tag', 'pages')).toBe('inverse _unlinked');
    expect(warnings).toEqual([expect.stringMatching(/^tag\.json: attributes\.pages\.mappedBy .*: it is empty, as in/)]);
  });

  test('inversedBy with an attribute that is not a relation is an error, as in Strapi', () => {
    expect(() => linkLeniently({ page: { tag: relation('manyToOne', 'page', { inversedBy: 'nothing' }) } })).toThrow(
      'page.json: attributes.tag.inversedBy',
    );
  });
});

test('an attribute called locale is kept, except in localized types', () => {
  const types = { page: { locale: { type: 'string' }, title: { type: 'string' } } };
  expect(linkLeniently(types).registry.contentTypes.get('api::page.page')?.attributes.has('locale')).toBe(true);
  const localized = linkLeniently(types, { i18n: { localized: true } });
  expect(localized.registry.contentTypes.get('api::page.page')?.attributes.has('locale')).toBe(false);
  expect(localized.warnings).toEqual([
    'page.json: attributes.locale is replaced by that of every entry, as in Strapi v4',
  ]);
});

test('attributes with the names of those that every entry has are replaced by these', () => {
  const names = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy'];
  const types = {
    page: { ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])), title: { type: 'string' } },
  };
  const { registry, warnings } = linkLeniently(types);
  const attributes = registry.contentTypes.get('api::page.page')?.attributes;
  expect(
    names
      .map((name) => attributes?.get(name))
      .map((attribute) => (attribute?.kind === 'scalar' ? attribute.type : attribute?.kind)),
  ).toEqual(['datetime', 'datetime', 'relation', 'relation']);
  expect(warnings).toEqual(
    names.map((name) => `page.json: attributes.${name} is replaced by that of every entry, as in Strapi v4`),
  );
});

test('an attribute called publishedAt is kept in a type without drafts, and none is called id', () => {
  const { registry, warnings } = linkLeniently({ page: { publishedAt: { type: 'date' } } });
  expect(registry.contentTypes.get('api::page.page')?.attributes.get('publishedAt')).toMatchObject({ type: 'date' });
  expect(warnings).toEqual([]);
  expect(() => linkLeniently({ page: { id: { type: 'string' } } })).toThrow(
    'page.json: attributes.id has a reserved name',
  );
});

test('required and unique are what JavaScript takes for true or false', () => {
  const { registry, warnings } = linkLeniently({
    note: { title: { type: 'string', required: 'true', unique: 1 }, text: { type: 'string', required: '' } },
  });
  const { attributes } = registry.contentTypes.get('api::note.note') as ContentType;
  expect([attributes.get('title'), attributes.get('text')]).toMatchObject([
    { required: true, unique: true },
    { required: false },
  ]);
  expect(warnings).toEqual([
    'note.json: attributes.title.required "true" counts as true, as in Strapi v4',
    'note.json: attributes.title.unique 1 counts as true, as in Strapi v4',
    'note.json: attributes.text.required "" counts as false, as in Strapi v4',
  ]);
  expect(() => linkLeniently({ note: { title: { type: 'string', private: 'true' } } })).toThrow(
    'attributes.title.private "true" must be true or false',
  );
});

test('contradictions of plain attributes are warnings, and a refused default is validated with each new entry', () => {
  const { registry, warnings } = linkLeniently({
    note: {
      status: { type: 'enumeration', enum: ['open', 'done', 'open'], default: 'closed' },
      shown: { type: 'boolean', default: 'false' },
      title: { type: 'string', default: 5, minLength: 9, maxLength: 3 },
      count: { type: 'integer', min: 3, max: 2, default: 'many' },
      rating: { type: 'integer', min: 1, max: 5, default: 0 },
      views: { type: 'biginteger', max: '9', default: '10' },
      code: { type: 'string', minLength: 3, default: 'a' },
      colour: { type: 'string', regex: '^#', default: 'red' },
    },
  });
  const note = registry.contentTypes.get('api::note.note') as ContentType;
  expect(warnings).toEqual([
    'note.json: attributes.status.enum contains "open" twice',
    'note.json: attributes.status.default "closed" is not in enum; it can be open, done',
    'note.json: attributes.shown.default "false" must be true or false',
    'note.json: attributes.title.minLength 9 is more than maxLength 3',
    'note.json: attributes.title.default 5 must be a string',
    'note.json: attributes.count.min 3 is more than max 2',
    'note.json: attributes.count.default "many" must be an integer',
    'note.json: attributes.rating.default 0 is less than min 1',
    'note.json: attributes.views.default 10 is more than max 9',
    'note.json: attributes.code.default "a" is shorter than minLength 3',
    'note.json: attributes.colour.default "red" does not match regex',
  ]);
  // What code without validation stores.
  const defaultOf = (name: string): unknown => (note.attributes.get(name) as ScalarAttribute).default;
  expect(['status', 'shown', 'title', 'count'].map(defaultOf)).toEqual(['closed', false, undefined, undefined]);
  const { check } = createValidator(registry);
  const issues = (isNew: boolean, data: Data): unknown => check(note, { isNew, isDraft: false }, data);
  expect(issues(true, {})).toEqual([
    { path: ['status'], message: 'status must be one of the following values: open, done, ', rule: 'enum' },
    { path: ['shown'], message: 'shown must be a `boolean` type, but the final value was: `"false"`.', rule: 'type' },
    { path: ['title'], message: 'title must be a `string` type, but the final value was: `5`.', rule: 'type' },
    {
      path: ['count'],
      message: 'count must be a `number` type, but the final value was: `NaN` (cast from the value `"many"`).',
      rule: 'type',
    },
    { path: ['rating'], message: 'rating must be greater than or equal to 1', rule: 'min', limit: 1 },
    {
      path: ['views'],
      message: 'views must be a 64-bit integer up to 9, but the final value was: `"10"`.',
      rule: 'integer',
    },
    { path: ['code'], message: 'code must be at least 3 characters', rule: 'minLength', limit: 3 },
    { path: ['colour'], message: 'colour must match the following: "/^#/"', rule: 'regex', limit: '^#' },
  ]);
  expect(issues(false, {})).toEqual([]);
  expect(
    issues(true, {
      status: 'open',
      shown: true,
      title: null,
      count: null,
      rating: 1,
      views: null,
      code: null,
      colour: '#f00',
    }),
  ).toEqual([]);
});

test('an unknown custom field accepts any value', () => {
  const { registry, warnings } = linkLeniently({
    place: { spot: { type: 'customField', customField: 'plugin::unheard-of.spot' } },
  });
  expect(registry.contentTypes.get('api::place.place')?.attributes.get('spot')).toMatchObject({ type: 'json' });
  expect(warnings).toEqual([
    'place.json: attributes.spot.customField unknown custom field "plugin::unheard-of.spot": served as json, which accepts any value',
  ]);
});

test('a content type of a plugin can have the same singular and plural name, one of the project cannot', () => {
  const linkNamed = (uid: string, warn: (line: string) => void) =>
    link(
      {
        contentTypes: [
          {
            uid,
            file: 'task.json',
            definition: { info: { singularName: 'task', pluralName: 'task' }, attributes: {} },
          },
        ],
        components: [],
        lenient: true,
      },
      { warn },
    );
  const warnings: string[] = [];
  linkNamed('plugin::tasks.task', (line) => void warnings.push(line));
  expect(warnings).toEqual(['task.json: info.pluralName "task" is taken by info.singularName of task.json']);
  expect(() => linkNamed('api::task.task', () => undefined)).toThrow('info.pluralName "task" is taken by');
});
