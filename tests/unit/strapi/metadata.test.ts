import { expect, test } from '@jest/globals';
import { createMetadata } from '../../../src/strapi/query-engine/database.js';
import { describeModels } from '../../../src/strapi/registries/models.js';

const { contentTypes, components } = describeModels({
  contentTypes: [
    {
      uid: 'api::shelf.shelf',
      file: 'shelf.json',
      definition: {
        kind: 'collectionType',
        collectionName: 'shelves',
        info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
        attributes: {
          name: { type: 'string' },
          owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
          labels: { type: 'component', component: 'shop.label', repeatable: true },
          cover: { type: 'media', multiple: false },
          parts: { type: 'dynamiczone', components: ['shop.label'] },
        },
      },
    },
  ],
  components: [{ uid: 'shop.label', file: 'label.json', definition: { attributes: { text: { type: 'string' } } } }],
} as unknown as Parameters<typeof describeModels>[0]);

test('strapi.db.metadata describes models, with components and files as relations', () => {
  const metadata = createMetadata({ contentTypes, components });
  expect([...metadata.keys()]).toEqual(['api::shelf.shelf', 'shop.label']);
  expect(metadata.get('api::shelf.shelf')).toEqual({
    ...contentTypes['api::shelf.shelf'],
    singularName: 'shelf',
    tableName: 'shelves',
    indexes: [],
    foreignKeys: [],
    columnToAttribute: { id: 'id', name: 'name', owner: 'owner', labels: 'labels', cover: 'cover', parts: 'parts' },
    attributes: {
      id: { type: 'increments', columnName: 'id' },
      name: { type: 'string', columnName: 'name' },
      owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      labels: { type: 'relation', relation: 'oneToMany', target: 'shop.label' },
      cover: { type: 'relation', relation: 'morphOne', target: 'plugin::upload.file', morphBy: 'related' },
      parts: { type: 'relation', relation: 'morphToMany' },
    },
  });
});

test('as in Strapi v4, a model has lifecycles and actions, and no options of plugins that its schema lacks', () => {
  expect(contentTypes['api::shelf.shelf']).toMatchObject({ lifecycles: {}, actions: {} });
  expect(
    [contentTypes['api::shelf.shelf'], components['shop.label']].filter((model) => 'pluginOptions' in (model ?? {})),
  ).toEqual([]);
});
