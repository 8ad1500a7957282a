import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { shorten } from '../../src/browser/model/builder/difference.js';
import {
  addRelation,
  changesBetween,
  localize,
  newComponent,
  newType,
  orderAttributes,
  removeAttribute,
  removeModel,
  replaceAttribute,
  setAttribute,
  setFrame,
  withRemoved,
  type NewRelation,
} from '../../src/browser/model/builder/edit.js';
import { isComponent, type AttributeDefinition, type DefinedModel } from '../../src/browser/model/builder/models.js';
import { KEPT_DAYS, newTypeOptions, withTypeOptions } from '../../src/browser/model/builder/type-options.js';
import {
  attributeFrom,
  attributeKinds,
  optionsOf,
  textsOf,
  type Option,
} from '../../src/browser/builder/attribute/options.js';
import { link } from '../../../../src/content-types/link/link.js';
import { load } from '../../../../src/content-types/load/load.js';
import type { FileChanges } from '../../../../src/content-types/load/read-json-files.js';
import { definitionPath } from '../../../../src/content-types/write/definition-path.js';
import { mergeDefinition } from '../../../../src/content-types/write/merge-definition.js';
import { writeLike } from '../../../../src/content-types/write/write-like.js';
import fc from '../../../../tests/support/fast-check.js';
import { scaled } from '../../../../tests/support/scaled.js';

const folder = path.resolve('content-types');
let texts: ReadonlyMap<string, string | undefined>;
let models: readonly DefinedModel[];
beforeAll(async () => {
  const { contentTypes, components } = await load(folder);
  const all = [...contentTypes, ...components];
  texts = new Map(all.map(({ uid, text }) => [uid, text]));
  models = all.map(({ uid, definition }) => ({
    uid,
    version: 'stored',
    definition: { ...definition, info: definition.info ?? {} },
  }));
});
const TAG = 'api::tag.tag';
const attributesOf = (edited: readonly DefinedModel[], uid: string): Readonly<Record<string, AttributeDefinition>> =>
  edited.find((model) => model.uid === uid)?.definition.attributes ?? {};

/** What the service writes for an edit. */
const written = (edited: readonly DefinedModel[]): FileChanges =>
  new Map(
    changesBetween(models, edited).map(({ uid, definition }) => {
      const text = texts.get(uid);
      const before = text === undefined ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>);
      const place = definitionPath(uid, false) ?? [];
      const after = definition === null ? undefined : writeLike(text, mergeDefinition(before, { ...definition }));
      return [path.join(folder, ...place), after];
    }),
  );

test('an attribute that is opened and applied without a change stays as it is', () => {
  for (const { uid, definition } of models) {
    for (const [name, attribute] of Object.entries(definition.attributes)) {
      const same = attributeFrom(attribute, attribute.type, textsOf(attribute));
      expect([uid, name, JSON.stringify(same)]).toEqual([uid, name, JSON.stringify(attribute)]);
      expect(changesBetween(models, setAttribute(models, uid, name, same))).toEqual([]);
    }
  }
});

test('options have the types that definitions need', () => {
  expect(attributeFrom(undefined, 'integer', { required: 'true', min: '3', default: '7' })).toEqual({ type: 'integer', required: true, min: 3, default: 7 }); // prettier-ignore
  expect(attributeFrom(undefined, 'boolean', { default: 'false' })).toEqual({ type: 'boolean', default: false });
  expect(attributeFrom(undefined, 'biginteger', { max: '9223372036854775807' })).toEqual({ type: 'biginteger', max: '9223372036854775807' }); // prettier-ignore
  expect(attributeFrom(undefined, 'enumeration', { enum: 'a\n\n b \n' })).toEqual({
    type: 'enumeration',
    enum: ['a', 'b'],
  });
  const former = { type: 'string', required: true, maxLength: 9, searchable: false };
  expect(attributeFrom(former, 'string', { maxLength: '8' })).toEqual({
    type: 'string',
    maxLength: 8,
    searchable: false,
  });
  expect(localize({ other: 1 }, true)).toEqual({ other: 1, i18n: { localized: true } });
  expect(localize({ other: 1, i18n: { localized: true } }, false)).toEqual({ other: 1 });
  expect(localize(undefined, false)).toBeUndefined();
});

test('a relation has two sides, which come and go together', () => {
  const ends: NewRelation = { relation: 'manyToOne', target: 'api::author.author', otherSide: 'tags' };
  const added = addRelation(models, TAG, 'inventor', ends, { private: true });
  expect(attributesOf(added, TAG)['inventor']).toEqual({ type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'tags', private: true }); // prettier-ignore
  expect(attributesOf(added, 'api::author.author')['tags']).toEqual({ type: 'relation', relation: 'oneToMany', target: TAG, mappedBy: 'inventor' }); // prettier-ignore
  expect(changesBetween(models, added).map(({ uid }) => uid)).toEqual(['api::author.author', TAG]);
  expect(changesBetween(models, removeAttribute(added, TAG, 'inventor'))).toEqual([]);
  expect(changesBetween(models, removeAttribute(added, 'api::author.author', 'tags'))).toEqual([]);
});

test('a removed attribute takes along the indexes of it, and no others', () => {
  const edited = removeAttribute(models, 'api::article.article', 'kind');
  const [change] = changesBetween(models, edited);
  expect(change?.definition?.options?.['indexes']).toEqual([{ publishedOn: -1 }]);
});

test('one side of a morph is removed alone: the other belongs to other types too', () => {
  const morph = { type: 'relation', relation: 'morphMany', target: TAG, morphBy: 'about' };
  const first = setAttribute(models, TAG, 'about', { type: 'relation', relation: 'morphToOne' });
  const second = setAttribute(first, 'api::author.author', 'tags', morph);
  const removed = removeAttribute(second, 'api::author.author', 'tags');
  expect(changesBetween(first, removed)).toEqual([]);
});

test('a change names the version that was edited, though the file was read again since', () => {
  const edited = setAttribute(models, TAG, 'added', { type: 'string' });
  const readAgain = models.map((model) => ({ ...model, version: 'changed by others' }));
  expect(changesBetween(readAgain, edited).map(({ uid, version }) => [uid, version])).toEqual([[TAG, 'stored']]);
});

test('what is removed takes along what leads to it, and what is left loads', async () => {
  for (const uid of [TAG, 'api::author.author', 'shared.seo', 'blocks.quote']) {
    const edited = removeModel(models, uid);
    expect(changesBetween(models, edited)).toContainEqual({ uid, version: 'stored', definition: null });
    const { contentTypes, components } = await load(folder, written(edited));
    expect([...contentTypes, ...components].map((one) => one.uid)).not.toContain(uid);
    const file = { uid: 'plugin::upload.file', file: '', definition: { info: { singularName: 'file', pluralName: 'files' }, attributes: {} } }; // prettier-ignore
    expect(() => link({ contentTypes: [...contentTypes, file], components })).not.toThrow();
  }
  const article = attributesOf(removeModel(models, 'blocks.quote'), 'api::article.article');
  expect(article['blocks']?.['components']).not.toContain('blocks.quote');
  expect(article['blocks']?.['components']).toContain('blocks.text');
});

test('a removed model stays among the changes, unless it was never written', () => {
  const shown = removeModel(models, TAG).filter(({ isRemoved }) => isRemoved !== true);
  const edited = withRemoved(
    removeModel(models, TAG),
    setAttribute(shown, 'api::author.author', 'added', { type: 'text' }),
  );
  expect(new Map(changesBetween(models, edited).map(({ uid, definition }) => [uid, definition])).get(TAG)).toBeNull();
  const begun = [...models, newComponent('parts', 'Line')];
  expect(changesBetween(models, removeModel(begun, 'parts.line'))).toEqual([]);
});

test('what is made of a form loads', async () => {
  const values: Readonly<Partial<Record<Option, string>>> = {
    required: 'true', unique: 'true', private: 'true', minLength: '1', maxLength: '9', regex: '^a', min: '1', max: '9', enum: 'a\nb', targetField: 'name',
    multiple: 'true', allowedTypes: 'images', repeatable: 'true', component: 'shared.seo', components: 'shared.seo\nshared.link',
  }; // prettier-ignore
  const needed = new Set<Option>(['enum', 'component', 'components']);
  const attribute = fc
    .tuple(fc.constantFrom(...attributeKinds.filter((kind) => kind !== 'relation')), fc.array(fc.constantFrom(...(Object.keys(values) as Option[]))))
    .map(([kind, options]) => {
      const chosen = optionsOf(kind).filter((option) => needed.has(option) || options.includes(option));
      return attributeFrom(undefined, kind, Object.fromEntries(chosen.map((option) => [option, values[option] ?? ''])));
    }); // prettier-ignore
  const relation = fc.record<NewRelation>({
    relation: fc.constantFrom('oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'),
    target: fc.constantFrom(
      ...models.filter((model) => !isComponent(model)).map(({ uid }) => uid),
      'api::new-type.new-type',
    ),
    otherSide: fc.constantFrom('', 'opposite'),
  });
  const started = [
    ...models,
    newType({ displayName: 'New', singularName: 'new-type', pluralName: 'new-types', kind: 'collectionType', options: { ...newTypeOptions, localized: true } }), // prettier-ignore
    newComponent('parts', 'Ünder line'),
  ];
  const owners = [TAG, 'api::new-type.new-type', 'api::homepage.homepage'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...owners),
      attribute,
      relation,
      fc.boolean(),
      async (owner, plain, ends, drafts) => {
        let edited = setAttribute(started, owner, 'added', plain);
        edited = setAttribute(edited, 'parts.under-line', 'label', { type: 'string' });
        edited = addRelation(edited, owner, 'related', ends);
        const { attributes: _, ...frame } = edited.find(({ uid }) => uid === owner)!.definition;
        const options = withTypeOptions(frame.options, { ...newTypeOptions, draftAndPublish: drafts });
        edited = setFrame(edited, owner, { ...frame, options });
        if (plain.type === 'uid' && plain['targetField'] !== undefined)
          edited = setAttribute(edited, owner, 'name', { type: 'string' });
        const changed = await load(folder, written(edited));
        const file = {
          uid: 'plugin::upload.file',
          file: '',
          definition: { info: { singularName: 'file', pluralName: 'files' }, attributes: {} },
        };
        const registry = link({ ...changed, contentTypes: [...changed.contentTypes, file] });
        expect(registry.contentTypes.get(owner)?.attributes.has('added')).toBe(true);
        const { draftAndPublish, copies, trash } = registry.contentTypes.get(owner)!;
        expect([draftAndPublish, copies !== undefined, trash?.days]).toEqual([drafts, drafts, KEPT_DAYS]);
      },
    ),
    { numRuns: scaled(150, 1500) },
  );
});

test('a difference shows the lines around each change', () => {
  const lines = [' 1', ' 2', ' 3', ' 4', ' 5', '-6', '+6', ' 7', ' 8', ' 9', ' 10', ' 11'];
  expect(shorten(lines.join('\n'))).toEqual([undefined, ' 3', ' 4', ' 5', '-6', '+6', ' 7', ' 8', ' 9', undefined]);
});

const tag = { type: 'string' };
const thing: readonly DefinedModel[] = [
  {
    uid: 'api::thing.thing',
    definition: {
      info: {},
      attributes: {
        kind: tag,
        slug: { type: 'uid', targetField: 'kind' },
        code: { ...tag, pluginOptions: { editor: { condition: { attribute: 'kind', equals: 'a' }, width: 'half' } } },
      },
    },
  },
];

test('attributes have another order, and one that is not written yet another name and type in its place', () => {
  const moved = orderAttributes(thing, 'api::thing.thing', ['code', 'kind', 'slug']);
  expect(Object.keys(attributesOf(moved, 'api::thing.thing'))).toEqual(['code', 'kind', 'slug']);
  const renamed = replaceAttribute(thing, 'api::thing.thing', 'kind', 'sort', (models) =>
    setAttribute(models, 'api::thing.thing', 'sort', { type: 'text' }),
  );
  expect(Object.entries(attributesOf(renamed, 'api::thing.thing'))).toEqual([
    ['sort', { type: 'text' }],
    ['slug', { type: 'uid', targetField: 'sort' }],
    ['code', { ...tag, pluginOptions: { editor: { condition: { attribute: 'sort', equals: 'a' }, width: 'half' } } }],
  ]);
  expect(attributesOf(removeAttribute(thing, 'api::thing.thing', 'kind'), 'api::thing.thing')['code']).toEqual({
    ...tag,
    pluginOptions: { editor: { width: 'half' } },
  });
});

test('a relation that is not written yet leads elsewhere, and its other side with it', () => {
  const relation = (target: string) => (list: readonly DefinedModel[]) =>
    addRelation(list, TAG, 'owner', { relation: 'manyToOne', target, otherSide: 'tags2' });
  const begun = relation('api::article.article')(models);
  expect(attributesOf(begun, 'api::article.article')).toHaveProperty('tags2');
  const corrected = replaceAttribute(begun, TAG, 'owner', 'owner', relation('api::author.author'));
  expect(attributesOf(corrected, 'api::article.article')).not.toHaveProperty('tags2');
  expect(attributesOf(corrected, 'api::author.author')).toHaveProperty('tags2');
  expect(changesBetween(models, corrected).map(({ uid }) => uid)).toEqual(expect.arrayContaining([TAG]));
  expect(changesBetween(models, corrected)).toHaveLength(2);
});

test('the order of attributes is written', () => {
  const names = Object.keys(attributesOf(models, TAG)).toReversed();
  const [text] = [...written(orderAttributes(models, TAG, names)).values()];
  const { attributes } = JSON.parse(text ?? '') as { readonly attributes: object };
  expect(Object.keys(attributes)).toEqual(names);
});
