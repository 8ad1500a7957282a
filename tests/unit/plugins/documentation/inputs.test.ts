import { expect, test } from '@jest/globals';
import { link } from '../../../../src/content-types/link/link.js';
import { inputsOf } from '../../../../src/plugins/documentation/inputs.js';
import { strapiV4 } from '../../../../src/plugins/documentation/strapi-v4.js';
import { component, contentType, define, file } from '../../content-types/define.js';

test('a new draft needs only its required lists of components', () => {
  const required = { required: true };
  const attributes = {
    title: { type: 'string', ...required },
    parts: { type: 'component', component: 'shared.part', repeatable: true, ...required },
    blocks: { type: 'dynamiczone', components: ['shared.part'], ...required },
  };
  const registry = link(
    define(
      file,
      contentType('article', attributes, { options: { draftAndPublish: true } }),
      component('shared.part', { name: { type: 'string' } }),
    ),
  );
  const article = registry.contentTypes.get('api::article.article');
  const alternatives = JSON.stringify(article && inputsOf(article, strapiV4));
  expect(alternatives).toContain('"required":["title","parts","blocks"]');
  expect(alternatives).toContain('"required":["publishedAt","parts","blocks"]');
});
