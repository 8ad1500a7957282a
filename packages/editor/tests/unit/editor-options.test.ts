import { expect, test } from '@jest/globals';
import {
  ALL,
  attributeTexts,
  componentTexts,
  editorOptionsOf,
  hasPlaceholder,
  noCondition,
  textIn,
  typeTexts,
  withEditorOptions,
  withText,
} from '../../src/browser/model/builder/editor-options.js';
import { attributeKinds, optionsOf } from '../../src/browser/builder/attribute/options.js';
import { link } from '../../../../src/content-types/link/link.js';

const written = {
  i18n: { localized: true },
  editor: {
    section: { nl: 'Verzending', en: 'Shipping' },
    label: 'Code',
    width: 'half',
    condition: { attribute: 'kind', in: ['a', 'b'] },
    later: 1,
  },
};

test('what the form of an attribute does not change stays as it is written', () => {
  expect(JSON.stringify(withEditorOptions(written, editorOptionsOf(written)))).toBe(JSON.stringify(written));
  for (const nothing of [undefined, {}, { i18n: {} }])
    expect(withEditorOptions(nothing, editorOptionsOf(nothing))).toEqual(nothing);
  for (const condition of [
    { attribute: 'kind', equals: 'a' },
    { attribute: 'kind', not: 'b' },
    { attribute: 'kind', isSet: false },
    { attribute: 'kind', isSet: true },
    { attribute: 'count', equals: 5 },
    { attribute: 'flag', not: true },
    { attribute: 'count', in: [1, 2] },
  ]) {
    const options = { editor: { condition } };
    const attributes = { kind: { type: 'string' }, count: { type: 'integer' }, flag: { type: 'boolean' } };
    expect(withEditorOptions(options, editorOptionsOf(options), attributes)).toEqual(options);
  }
});

test('what is emptied in the form is gone, and nothing else', () => {
  const options = editorOptionsOf(written);
  const emptied = { ...options, texts: { ...options.texts, label: { [ALL]: ' ' } }, width: '', condition: noCondition };
  expect(withEditorOptions(written, emptied)).toEqual({
    i18n: { localized: true },
    editor: { section: written.editor.section, later: 1 },
  });
  const last = editorOptionsOf({ i18n: {}, editor: { label: 'Code' } });
  expect(withEditorOptions({ i18n: {}, editor: { label: 'Code' } }, { ...last, texts: { label: {} } })).toEqual({
    i18n: {},
  });
});

test('a text for all becomes the English one where a language gets its own, and none gets lost', () => {
  expect(withText({}, ALL, 'Price')).toEqual({ [ALL]: 'Price' });
  expect(withText({ [ALL]: 'Price' }, 'de', 'Preis')).toEqual({ en: 'Price', de: 'Preis' });
  expect(withText({ [ALL]: 'Price' }, 'en', 'Cost')).toEqual({ en: 'Cost' });
  expect(withText({ en: 'Price', de: 'Preis' }, ALL, 'Cost')).toEqual({ en: 'Cost', de: 'Preis' });
  expect(withText({ [ALL]: 'Price' }, 'de', '')).toEqual({ [ALL]: 'Price', de: '' });
  expect(textIn({ en: 'Price', de: 'Preis' }, ALL)).toBe('Price');
  expect(textIn({ [ALL]: 'Price' }, 'de')).toBe('');
});

/** Links a type with all that the builder offers to say to the editor. */
function linked(type: string, options: object): void {
  const info = { singularName: 'thing', pluralName: 'things' };
  const text = { en: 'A', de: 'B' };
  const all = Object.fromEntries(attributeTexts.map((name) => [name, text]));
  const { placeholder, message, ...texts } = all;
  const editor = {
    ...texts,
    ...(hasPlaceholder(type) && { placeholder }),
    ...(optionsOf(type).includes('regex') && { message }),
    width: 'third',
    panel: 'side',
    condition: { attribute: 'kind', equals: 'a' },
  };
  const attribute = { type, ...(editor.message && { regex: 'a' }), ...options, pluginOptions: { editor } };
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
  link({
    contentTypes: [
      {
        uid: 'api::thing.thing',
        file: 'thing.json',
        definition: {
          info,
          pluginOptions: { editor: named(typeTexts) },
          attributes: { kind: { type: 'string' }, it: attribute },
        },
      },
      {
        uid: 'plugin::upload.file',
        file: 'file.json',
        definition: { info: { singularName: 'file', pluralName: 'files' }, attributes: {} },
      },
    ],
    components: [
      {
        uid: 'shared.part',
        file: 'part.json',
        definition: { attributes: {}, pluginOptions: { editor: named(componentTexts) } } as object as {
          readonly attributes: object & Record<string, never>;
        },
      },
    ],
  });
}

test('the service accepts all that the builder offers, for every type', () => {
  const needed: Readonly<Record<string, object>> = {
    enumeration: { enum: ['a'] },
    component: { component: 'shared.part' },
    dynamiczone: { components: ['shared.part'] },
    relation: { relation: 'oneToOne', target: 'api::thing.thing' },
  };
  for (const kind of attributeKinds) expect(() => linked(kind, needed[kind] ?? {})).not.toThrow();
});
