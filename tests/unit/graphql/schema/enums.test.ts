import { expect, test } from '@jest/globals';
import { graphql } from 'graphql';
import type { AttributeDefinition } from '../../../../src/content-types/model/definition.js';
import { link } from '../../../../src/content-types/link/link.js';
import { generateSchema } from '../../../../src/graphql/schema/generate.js';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';
import { contentType, define, mistakesIn } from '../../content-types/define.js';

const mood = (more: object = {}): AttributeDefinition => ({
  type: 'enumeration',
  enum: ['good', 'so-so'],
  enumName: 'Mood',
  ...more,
});
const generate = (cat: AttributeDefinition, dog: AttributeDefinition = mood()) =>
  generateSchema(link(define(contentType('cat', { mood: cat }), contentType('dog', { mood: dog }))));

test('an enum is named by its definition, and shared if the values are equal', async () => {
  const { typeDefs, resolvers } = generate(mood(), mood({ required: true }));
  expect(typeDefs.match(/enum Mood/g)).toHaveLength(1);
  expect(typeDefs).toContain('mood: Mood\n');
  expect(typeDefs).toContain('mood: Mood!');
  expect(typeDefs).not.toContain('ENUM_CAT_MOOD');
  const cats = { data: [{ id: 1, attributes: { mood: 'so-so' } }], meta: {} };
  const schema = makeSchema([typeDefs], [resolvers, { Query: { cats: () => cats } }]);
  const { data } = await graphql({ schema, source: '{ cats { data { attributes { mood } } } }' });
  expect(data).toEqual({ cats: { data: [{ attributes: { mood: 'so_so' } }] } });
});

test('an enum without a name is named after its type and attribute', () => {
  const { typeDefs } = generate(mood({ enumName: '' }));
  expect(typeDefs).toContain('enum ENUM_CAT_MOOD {\n  good\n  so_so\n}');
});

test('conflicting enum names are refused', () => {
  expect(() => generate(mood(), mood({ enum: ['bad'] }))).toThrow(
    'enumName "Mood" is used by api::cat.cat mood and by api::dog.dog mood with different values',
  );
  expect(() => generate(mood({ enumName: 'DogInput' }))).toThrow(
    'enumName "DogInput" is the name of another type of the GraphQL schema',
  );
});

test('an enum name that is invalid in GraphQL is refused with the definition', () => {
  expect(mistakesIn(define(contentType('cat', { mood: mood({ enumName: 'so so' }) })))).toEqual([
    expect.stringMatching(/attributes\.mood\.enumName .*a name of letters, digits and _ that begins with a letter/),
  ]);
});
