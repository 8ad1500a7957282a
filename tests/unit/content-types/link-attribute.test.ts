import { describe, expect, test } from '@jest/globals';
import { sqlite } from '../../../src/content-types/model/dialects.js';
import type { AttributeDefinition } from '../../../src/content-types/model/definition.js';
import { link } from '../../../src/content-types/link/link.js';
import type { Attribute, ScalarType } from '../../../src/content-types/model/types.js';
import { component, contentType, define, file } from './define.js';

/** Links one attribute, beside a title, a component and a file type that it may refer to. */
function linked(definition: AttributeDefinition, options: object = {}): Attribute | undefined {
  const title = { type: 'string' };
  const definitions = define(
    file,
    contentType('thing', { title, it: definition }, { options }),
    component('shared.part', { title }),
  );
  const customFields: Record<string, ScalarType> = { 'plugin::map.point': 'json' };
  return link(definitions, { customFields }).contentTypes.get('api::thing.thing')?.attributes.get('it');
}

describe('an attribute has by default', () => {
  test('no rules and is public', () => {
    expect(linked({ type: 'string' })).toStrictEqual({
      kind: 'scalar',
      type: 'string',
      dialect: sqlite,
      name: 'it',
      required: false,
      private: false,
      writable: true,
      pluginOptions: {},
      unique: false,
      searchable: true,
    });
  });
});

const everyEditorOption = {
  panel: 'main',
  section: { en: 'Shipping', de: 'Versand' },
  label: { en: 'Code', 'pt-BR': 'Código' },
  description: 'Of the parcel',
  placeholder: 'a1',
  message: { en: 'Begins with a' },
  width: 'half',
  condition: { attribute: 'title', isSet: true },
};
const localized = { i18n: { localized: true } };
const table: readonly (readonly [AttributeDefinition, object])[] = [
  [
    { type: 'string', required: true, unique: true },
    { required: true, unique: true },
  ],
  [
    { type: 'string', private: true },
    { private: true, searchable: false },
  ],
  [
    { type: 'string', writable: false, searchable: false },
    { writable: false, searchable: false },
  ],
  [{ type: 'string', pluginOptions: localized }, { pluginOptions: localized }],
  [
    { type: 'string', pluginOptions: { editor: { panel: 'side', section: 'Shipping' } } },
    { editor: { panel: 'side', section: 'Shipping' } },
  ],
  [{ type: 'string', regex: '^a', pluginOptions: { editor: everyEditorOption } }, { editor: everyEditorOption }],
  [
    { type: 'text', minLength: 2, maxLength: 9, regex: '^a' },
    { type: 'text', minLength: 2, maxLength: 9, regex: /^a/ },
  ],
  [
    { type: 'richtext', default: '' },
    { type: 'richtext', default: '' },
  ],
  [{ type: 'blocks' }, { type: 'blocks', searchable: false }],
  [
    { type: 'uid', targetField: 'title' },
    { type: 'uid', targetField: 'title', unique: true },
  ],
  [
    { type: 'email', minLength: 6 },
    { type: 'email', minLength: 6, searchable: true },
  ],
  [
    { type: 'password', minLength: 6, unique: true },
    { type: 'password', minLength: 6, unique: false, searchable: false, private: false },
  ],
  [
    { type: 'enumeration', enum: ['a', 'b'], default: 'b', unique: true },
    { type: 'enumeration', enum: ['a', 'b'], default: 'b', unique: false },
  ],
  [
    { type: 'integer', min: 0, max: 9, default: 1 },
    { type: 'integer', min: 0, max: 9, default: 1, searchable: true },
  ],
  [
    { type: 'biginteger', min: '-9223372036854775808', max: 5 },
    { type: 'biginteger', min: '-9223372036854775808', max: 5 },
  ],
  [
    { type: 'decimal', max: 1.5 },
    { type: 'decimal', max: 1.5 },
  ],
  [
    { type: 'float', default: 0.5 },
    { type: 'float', default: 0.5 },
  ],
  [
    { type: 'boolean', default: false, unique: true },
    { type: 'boolean', default: false, unique: false },
  ],
  [
    { type: 'date', unique: true },
    { type: 'date', unique: true, searchable: false },
  ],
  [{ type: 'time' }, { type: 'time' }],
  [{ type: 'datetime' }, { type: 'datetime' }],
  [{ type: 'timestamp' }, { type: 'timestamp' }],
  [
    { type: 'json', default: { a: [1] } },
    { type: 'json', default: { a: [1] } },
  ],
  [
    { type: 'array', default: [] },
    { type: 'array', default: [] },
  ],
  [
    { type: 'customField', customField: 'plugin::color-picker.color', required: true, regex: '^#' },
    { kind: 'scalar', type: 'string', required: true, regex: /^#/ },
  ],
  [{ type: 'customField', customField: 'plugin::ckeditor.CKEditor' }, { type: 'richtext' }],
  [{ type: 'customField', customField: 'plugin::map.point' }, { type: 'json' }],
  [
    { type: 'component', component: 'shared.part', required: true },
    {
      kind: 'component',
      repeatable: false,
      required: true,
      component: expect.objectContaining({ uid: 'shared.part' }),
    },
  ],
  [
    { type: 'component', component: 'shared.part', repeatable: true, min: 1, max: 3 },
    { kind: 'component', repeatable: true, min: 1, max: 3 },
  ],
  [
    { type: 'dynamiczone', components: ['shared.part'], max: 2 },
    { kind: 'zone', max: 2, components: new Map([['shared.part', expect.objectContaining({ kind: 'component' })]]) },
  ],
  [
    { type: 'media', allowedTypes: ['images'] },
    { kind: 'relation', relation: 'oneToOne', many: false, side: 'owner', media: true, allowedTypes: ['images'] },
  ],
  [
    { type: 'media', multiple: true, required: true },
    { kind: 'relation', relation: 'oneToMany', many: true, side: 'owner', media: true, required: true },
  ],
];

test.each(table)('%j is linked to its model', (definition, model) => {
  expect(linked(definition)).toMatchObject(model);
});

describe('an option is omitted', () => {
  test.each([
    [{ type: 'string', min: 1 }, 'min'],
    [{ type: 'date', max: '2020-01-01' }, 'max'],
    [{ type: 'integer', maxLength: 3 }, 'maxLength'],
    [{ type: 'enumeration', enum: ['a'], regex: 'a' }, 'regex'],
    [{ type: 'string', enum: ['a'] }, 'enum'],
    [{ type: 'string', targetField: 'title' }, 'targetField'],
    [{ type: 'integer', min: null }, 'min'],
    [{ type: 'boolean', default: null }, 'default'],
  ])('if it does not apply or is null: %j has no %s', (definition: AttributeDefinition, option) => {
    expect(linked(definition)).not.toHaveProperty(option);
  });
});

test('unknown options of an attribute are ignored', () => {
  expect(linked({ type: 'string', conditions: { visible: 'maybe' }, column: 5 })).toEqual(linked({ type: 'string' }));
});

test('privateAttributes makes an attribute private', () => {
  expect(linked({ type: 'string' }, { privateAttributes: ['it', 'id', 'gone'] })).toMatchObject({ private: true });
});
