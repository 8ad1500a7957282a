import { expect, test } from '@jest/globals';
import { load } from '../../../src/content-types/load/load.js';
import { findUnknownKeys } from '../../../src/content-types/load/unknown-keys.js';
import type { LoadedDefinitions } from '../../../src/content-types/model/definition.js';
import { corpus } from '../../support/service.js';

const contentType = (definition: object, others: Partial<LoadedDefinitions> = {}): LoadedDefinitions => ({
  contentTypes: [],
  components: [],
  extensions: [],
  ...others,
  ...(Object.keys(others).length === 0 && {
    contentTypes: [
      {
        uid: 'api::note.note',
        file: 'content-types/note.json',
        definition: definition as LoadedDefinitions['contentTypes'][number]['definition'],
        text: JSON.stringify(definition, null, 2),
      },
    ],
  }),
});

test('a misspelt key is reported with its line and a suggestion at any depth', () => {
  const definition = {
    info: { singularName: 'note', pluralName: 'notes', displayname: 'Note' },
    options: { draftAndPublsh: true },
    atributes: {},
    attributes: {
      title: { type: 'string', requird: true },
      colour: { type: 'string', hue: 3 },
      // As Strapi's builder writes it.
      seo: { type: 'component', component: 'shared.seo', displayName: 'Seo' },
    },
  };
  expect(findUnknownKeys(contentType(definition))).toEqual([
    'content-types/note.json:10: atributes is unknown and has no effect; did you mean "attributes"?',
    'content-types/note.json:5: info.displayname is unknown and has no effect; did you mean "displayName"?',
    'content-types/note.json:8: options.draftAndPublsh is unknown and has no effect; did you mean "draftAndPublish"?',
    'content-types/note.json:14: attributes.title.requird is unknown and has no effect; did you mean "required"?',
    'content-types/note.json:18: attributes.colour.hue is unknown and has no effect',
  ]);
});

test('so is one of the languages of a type or an attribute, but no key of another plugin', () => {
  const definition = {
    pluginOptions: { i18n: { localised: true }, shop: { vat: 7 } },
    attributes: { title: { type: 'string', pluginOptions: { i18n: { localizd: true } } } },
  };
  expect(findUnknownKeys(contentType(definition))).toEqual([
    'content-types/note.json:4: pluginOptions.i18n.localised is unknown and has no effect; did you mean "localized"?',
    'content-types/note.json:15: attributes.title.pluginOptions.i18n.localizd is unknown and has no effect; did you mean "localized"?',
  ]);
});

test('unknown keys of components and extensions are reported', () => {
  const definition = { attributes: { title: { type: 'string', uniqe: true } } };
  const defined = [{ uid: 'x.y', file: 'y.json', definition: definition as never }];
  expect(findUnknownKeys(contentType({}, { components: defined, extensions: defined }))).toHaveLength(2);
});

test.each([corpus, 'content-types', 'tests/fixtures/strapi-project'])(
  'a key unknown to %s is reported',
  async (folder) => {
    expect(findUnknownKeys(await load(folder))).toEqual([]);
  },
);
