import { expect, test } from '@jest/globals';
import type { AttributeDefinition, LoadedDefinitions } from '../../../../src/content-types/model/definition.js';
import { compareDefinitions } from '../../../../src/cli/commands/dev/dev.js';

const define = (name: string, attributes: Record<string, AttributeDefinition>, draftAndPublish = false) => ({
  uid: `api::${name}.${name}`,
  file: `${name}.json`,
  definition: { info: { singularName: name, pluralName: `${name}s` }, options: { draftAndPublish }, attributes },
});
const all = (...contentTypes: LoadedDefinitions['contentTypes']): LoadedDefinitions => ({
  contentTypes,
  components: [],
  extensions: [],
});

test('changes of definitions are reported, one line each', () => {
  const before = all(
    define('article', { title: { type: 'string' }, body: { type: 'text' } }),
    define('tag', { name: { type: 'string' } }),
  );
  const after = all(
    define('article', { title: { type: 'string', required: true }, kind: { type: 'enumeration', enum: ['a'] } }, true),
    define('author', {}),
  );
  expect(compareDefinitions(before, after)).toEqual([
    '~ api::article.article: options {"draftAndPublish":false} → {"draftAndPublish":true}',
    '~ api::article.article.title: required → true',
    '- api::article.article.body',
    '+ api::article.article.kind: enumeration',
    '+ api::author.author',
    '- api::tag.tag',
  ]);
  expect(compareDefinitions(after, after)).toEqual([]);
});
