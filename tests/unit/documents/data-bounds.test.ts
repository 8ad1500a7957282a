import { expect, test } from '@jest/globals';
import { bounds } from '../../../src/config/bounds.js';
import { attributeTypes } from '../../../src/content-types/model/attribute-types.js';
import { allowedComponents } from '../../../src/content-types/model/walk.js';
import type { Attribute, Component, ContentType } from '../../../src/content-types/model/types.js';
import { openDataCount } from '../../../src/documents/input/data-bounds.js';
import { loadCorpus } from '../../support/golden.js';

const limits = { components: 20, relatedEntries: 30, jsonValues: 40 };

/**
 * What the elements of a long list of an attribute are, and how many of them are too many; undefined: it takes no list.
 */
function tooManyIn(attribute: Attribute): { readonly count: number; readonly element: unknown } | undefined {
  switch (attribute.kind) {
    case 'scalar':
      if (attributeTypes[attribute.type].kind !== 'json') return undefined;
      return { count: (attribute.type === 'blocks' ? bounds.blockNodes : limits.jsonValues) + 1, element: 1 };
    case 'relation':
    case 'morph':
    case 'morphed':
      return { count: limits.relatedEntries + 1, element: 1 };
    case 'component':
    case 'zone':
      return { count: limits.components + 1, element: {} };
    default:
      return attribute satisfies never;
  }
}

/** Data in which an attribute has a value, in components around it. */
type Wrap = (value: unknown) => unknown;

/** All attributes of a model that take lists, also of its components. */
function* listsOf(
  model: ContentType | Component,
  wrap: Wrap,
  seen: readonly string[] = [],
): Generator<readonly [Attribute, Wrap]> {
  for (const attribute of model.attributes.values()) {
    const inside: Wrap = (value) => wrap({ [attribute.name]: value });
    yield [attribute, inside];
    for (const component of allowedComponents(attribute)) {
      if (seen.includes(component.uid)) continue;
      const within: Wrap = (data) => inside([{ __component: component.uid, ...(data as object) }]);
      yield* listsOf(component, within, [...seen, component.uid]);
    }
  }
}

const fill = (count: number, element: unknown): readonly unknown[] => Array.from({ length: count }, () => element);

test('every list of every attribute is bounded, in every form that a request writes', async () => {
  const { contentTypes } = await loadCorpus();
  let lists = 0;
  for (const type of contentTypes.values()) {
    for (const [attribute, wrap] of listsOf(type, (value) => value)) {
      const tooMany = tooManyIn(attribute);
      if (tooMany === undefined) continue;
      const { count, element } = tooMany;
      const isLinked = attribute.kind !== 'component' && attribute.kind !== 'zone' && attribute.kind !== 'scalar';
      const forms: readonly Wrap[] = isLinked
        ? [(list) => list, ...['set', 'connect', 'disconnect'].map((name): Wrap => (list) => ({ [name]: list }))]
        : [(list) => list];
      for (const form of forms) {
        const data = wrap(form(fill(count, element)));
        const add = (): void => openDataCount(limits).add(type, data);
        expect(add).toThrow(expect.objectContaining({ code: 'validation' }));
        lists += 1;
      }
      const within = wrap(fill(5, element));
      expect(() => openDataCount(limits).add(type, within)).not.toThrow();
    }
  }
  expect(lists).toBeGreaterThan(50);
});

test('the data of all operations together is counted, and names without an attribute', async () => {
  const { contentTypes } = await loadCorpus();
  const article = contentTypes.get('api::article.article') as ContentType;
  const count = openDataCount(limits);
  const part = { blocks: fill(15, { __component: 'blocks.text' }) };
  count.add(article, part);
  expect(() => count.add(article, part)).toThrow(expect.objectContaining({ code: 'validation' }));
  const names = Object.fromEntries(fill(bounds.unknownNames + 1, 0).map((value, index) => [`n${index}`, value]));
  expect(() => openDataCount(limits).add(article, names)).toThrow(expect.objectContaining({ code: 'validation' }));
});

test('of JSON the names and the elements of lists are counted, at all levels', async () => {
  const { contentTypes } = await loadCorpus();
  const type = [...contentTypes.values()].find(({ attributes }) =>
    [...attributes.values()].some((attribute) => attribute.kind === 'scalar' && attribute.type === 'json'),
  ) as ContentType;
  const [name] = [...type.attributes].find(
    ([, attribute]) => attribute.kind === 'scalar' && attribute.type === 'json',
  ) ?? [''];
  const add = (value: unknown): void => openDataCount(limits).add(type, { [name]: value });
  // One name, 13 elements, and in each of these a name with an element: 40.
  const value = (count: number) => ({ list: fill(count, { a: [1] }) });
  expect(() => add(value(13))).not.toThrow();
  expect(() => add(value(14))).toThrow(expect.objectContaining({ code: 'validation' }));
  expect(() => add('x'.repeat(1000))).not.toThrow();
});
