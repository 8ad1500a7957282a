import { expect, test } from '@jest/globals';
import { referenceQuery, referencesTo, stepsOf } from '../../src/browser/model/references.js';
import type { Content } from '../../src/browser/model/schema.js';
import { article, content } from './content.js';

const author = { type: 'relation', read: true, create: true, update: true, required: false } as const;
const related: Content = {
  ...content,
  contentTypes: content.contentTypes.map((type) =>
    type === article
      ? {
          ...type,
          attributes: [...type.attributes, nested('links'), { ...nested('blocks'), type: 'dynamiczone' } as const],
        }
      : type,
  ),
  components: content.components.map((component) => ({
    ...component,
    attributes: [
      { ...author, name: 'by', multiple: true, morph: false, targets: ['api::author.author'] },
      { ...author, name: 'about', multiple: true, morph: true, targets: ['api::author.author'] },
    ],
  })),
};

function nested(name: string) {
  return { ...author, type: 'component', name, multiple: true, components: ['shared.link'] } as const;
}

test('relations lead to a type from types and from their components', () => {
  const paths = referencesTo(related, 'api::author.author').map(({ type, path }) => [type.path, path.join('.')]);
  expect(paths).toContainEqual(['articles', 'author']);
  expect(paths).toContainEqual(['articles', 'links.by']);
  expect(paths).toContainEqual(['articles', 'blocks.$on.shared.link.by']);
  expect(paths.filter(([, path]) => path?.includes('about'))).toEqual([]);
});

test('a relation in a dynamic zone is named by the component', () => {
  const inZone = referencesTo(related, 'api::author.author').find(({ path }) => path.includes('$on'));
  expect(inZone && stepsOf(related, inZone)).toEqual(['Blocks', 'Link', 'By']);
});

test('the entries that refer to one include drafts and localizations', () => {
  const [first] = referencesTo(content, 'api::author.author');
  expect(first && referenceQuery(content, { ...first, path: ['links', 'by'] }, 7, 3)).toEqual({
    fields: ['id', 'title', 'publishedAt'],
    filters: { links: { by: { id: { $eq: 7 } } } },
    publicationState: 'preview',
    locale: 'all',
    pagination: { pageSize: 3 },
  });
});
