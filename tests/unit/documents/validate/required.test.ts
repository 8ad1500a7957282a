import { describe, expect, test } from '@jest/globals';
import { link } from '../../../../src/content-types/link/link.js';
import { createValidator } from '../../../../src/documents/input/validate/validate.js';
import { component, contentType, define, file } from '../../content-types/define.js';

/** An article with one attribute, which is required. */
function checkRequired(attribute: object, data: object, scope = { isNew: true, isDraft: false }) {
  const registry = link(
    define(
      file,
      contentType('tag', { name: { type: 'string' } }),
      contentType('article', { it: { type: 'string', required: true, ...attribute } }),
      component('shared.part', { tag: { ...tag, required: true }, days: { type: 'date' } }),
    ),
  );
  const type = registry.contentTypes.get('api::article.article');
  if (type === undefined) throw new Error('There is no article');
  const issues = createValidator(registry).check(type, scope, { ...data });
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const tag = { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' };
const update = { isNew: false, isDraft: false };
const draft = { isNew: true, isDraft: true };
const untyped = [tag, ...['json', 'biginteger', 'date', 'time', 'datetime', 'timestamp'].map((type) => ({ type }))];

// Recorded from Strapi 4.26.2.
describe('a required value', () => {
  test.each([...untyped, { ...tag, relation: 'manyToMany' }, { type: 'enumeration', enum: ['a'] }])(
    '%j is given to a new entry',
    (attribute) => {
      expect(checkRequired(attribute, {})).toEqual(['it: it must be defined.']);
      expect(checkRequired(attribute, {}, update)).toEqual([]);
      expect(checkRequired(attribute, { it: null }, draft)).toEqual([]);
    },
  );

  test.each(untyped)('%j is not null', (attribute) => {
    expect(checkRequired(attribute, { it: null })).toEqual(['it: it must be defined.']);
    expect(checkRequired(attribute, { it: null }, update)).toEqual(['it: it cannot be null.']);
  });

  test.each([
    ['string', 'string', 'null'],
    ['enumeration', 'string', 'null'],
    ['integer', 'number', 'NaN'],
    ['decimal', 'number', 'NaN'],
    ['blocks', 'array', 'null'],
  ])('of type %s has that type', (type, expected, value) => {
    const message = `it: it must be a \`${expected}\` type, but the final value was: \`${value}\`.`;
    expect(checkRequired({ type, enum: ['a'] }, { it: null })).toEqual([message]);
  });

  test.each([{ connect: [1] }, { set: [] }, [], 1])('of a relation may be %j', (it) => {
    expect(checkRequired(tag, { it })).toEqual([]);
  });

  test('of a component is checked in it', () => {
    const parts = { type: 'component', component: 'shared.part', repeatable: true };
    expect(checkRequired(parts, { it: [{}] })).toEqual(['it.0.tag: it[0].tag must be defined.']);
  });

  test('of a file may be missing', () => {
    expect(checkRequired({ type: 'media' }, {})).toEqual([]);
    expect(checkRequired({ type: 'media' }, { it: null }, update)).toEqual([]);
  });

  test.each([
    { type: 'component', component: 'shared.part', repeatable: true },
    { type: 'dynamiczone', components: ['shared.part'] },
  ])('%j is given to a new draft, too', (attribute) => {
    expect(checkRequired(attribute, {}, draft)).toEqual(['it: it must be defined.']);
    expect(checkRequired(attribute, { it: [] }, draft)).toEqual([]);
    expect(checkRequired(attribute, {}, update)).toEqual([]);
  });
});

test('an address is not empty, also in a draft; its minLength does not count', () => {
  for (const scope of [draft, update]) {
    expect(checkRequired({ type: 'email', minLength: 9 }, { it: '' }, scope)).toEqual(['it: it cannot be empty']);
    expect(checkRequired({ type: 'email', minLength: 9 }, { it: 'a@b.cc' }, scope)).toEqual([]);
  }
  expect(checkRequired({ type: 'email', maxLength: 5 }, { it: 'a@b.cc' })).toEqual([
    'it: it must be at most 5 characters',
  ]);
});

test('a length is refused before a pattern', () => {
  expect(checkRequired({ minLength: 3, regex: '^a' }, { it: 'b' })).toEqual([
    'it: it must be at least 3 characters',
    'it: it must match the following: "/^a/"',
  ]);
});

test.each([
  [{ type: 'paragraph' }, 'children', 'is a required field'],
  [{ type: 'paragraph', children: [] }, 'children', 'Paragraph node children must have at least one Text or Link node'],
  [{ type: 'code', children: [] }, 'children', 'Quote node children must have at least one Text or Link node'],
  [
    { type: 'list', format: 'ordered', children: [] },
    'children',
    'List node children must have at least one ListItem or ListNode',
  ],
  [{ type: 'heading', children: [{ type: 'text', text: 'A' }] }, 'level', 'is a required field'],
  [
    { type: 'heading', level: 7, children: [{ type: 'text', text: 'A' }] },
    'level',
    'must be one of the following values: 1, 2, 3, 4, 5, 6',
  ],
  [
    { type: 'paragraph', children: [{ type: 'text' }] },
    'children.0.text',
    'Text must be defined with at least an empty string',
  ],
  [{ type: 'paragraph', children: [{ type: 'link', children: [] }] }, 'children.0.url', 'Please specify a valid link.'],
])('the block %j lacks something', (block, path, rule) => {
  const [issue = '', ...others] = checkRequired({ type: 'blocks' }, { it: [block] });
  expect(others).toEqual([]);
  expect(issue.startsWith(`it.0.${path}: `) && issue.endsWith(rule)).toBe(true);
});

// Recorded from Strapi 4.26.2.
test('issues have the order of the definition, but names that begin alike have one place', () => {
  const required = { type: 'string', required: true } as const;
  const registry = link(
    define(file, contentType('product', { title: required, rating: required, ratingCount: required, count: required })),
  );
  const type = registry.contentTypes.get('api::product.product');
  if (type === undefined) throw new Error('There is no product');
  const issues = createValidator(registry).check(type, { isNew: true, isDraft: false }, {});
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['title', 'ratingCount', 'rating', 'count']);
});
