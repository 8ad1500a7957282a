import { expect, test } from '@jest/globals';
import type { ContentType, ScalarAttribute } from '../../../../src/content-types/model/types.js';
import { componentNames, enumName, namesOf } from '../../../../src/plugins/contract/graphql/names.js';
import { enumValues } from '../../../../src/graphql/schema/enums.js';

const type = (uid: string, singularName: string, pluralName: string): ContentType =>
  ({ kind: 'collectionType', uid, singularName, pluralName }) as ContentType;

test.each([
  [type('api::seo-card.seo-card', 'seo-card', 'seo-cards'), 'SeoCard', 'seoCard', 'seoCards'],
  [type('plugin::i18n.locale', 'locale', 'locales'), 'I18NLocale', 'i18NLocale', 'i18NLocales'],
  [
    type('plugin::users-permissions.user', 'user', 'users'),
    'UsersPermissionsUser',
    'usersPermissionsUser',
    'usersPermissionsUsers',
  ],
  [type('api::top10.top10', 'top10-list', 'top10-lists'), 'Top10List', 'top10List', 'top10Lists'],
])('a content type has the GraphQL name of Strapi v4', (contentType, name, findOne, find) => {
  expect(namesOf(contentType)).toMatchObject({ type: name, findOne, find, create: `create${name}` });
});

test('a component is named after its category and name', () => {
  const component = { kind: 'component', uid: 'shared.open-graph', displayName: '', attributes: new Map() } as const;
  expect(componentNames(component).type).toBe('ComponentSharedOpenGraph');
  expect(enumName(component, { name: 'ogType' } as ScalarAttribute)).toBe('ENUM_COMPONENTSHAREDOPENGRAPH_OGTYPE');
});

test('enum values get valid GraphQL names', () => {
  const values = enumValues({ enum: ['how-to', 'Été', 'XL', '3 stars', '★'] } as unknown as ScalarAttribute);
  expect([...values]).toEqual([
    ['how_to', 'how-to'],
    ['Ete', 'Été'],
    ['XL', 'XL'],
    ['_3_stars', '3 stars'],
    ['_', '★'],
  ]);
});
