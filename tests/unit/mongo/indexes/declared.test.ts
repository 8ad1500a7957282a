import { expect, test } from '@jest/globals';
import { link } from '../../../../src/content-types/link/link.js';
import type { IndexKeys } from '../../../../src/content-types/model/types.js';
import { indexesOf } from '../../../../src/mongo/indexes/indexes.js';
import { contentType, define } from '../../content-types/define.js';

test.each<[declared: IndexKeys, index: string]>([
  [{ title: 1 }, '{"title":1,"_id":1,"_live":1}'],
  [{ title: 1, id: -1 }, '{"title":1,"_id":-1,"_live":1}'],
  [{ id: -1 }, '{"_id":-1,"_live":1}'],
])('%j makes an index with the names that documents have', (declared, index) => {
  const options = { draftAndPublish: true, indexes: [declared] };
  const { contentTypes } = link(define(contentType('article', { title: { type: 'string' } }, { options })));
  const article = contentTypes.get('api::article.article');
  expect(article && JSON.stringify(indexesOf(article).at(-1)?.key)).toBe(index);
});
