import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { AttributeDefinition } from '../../src/content-types/model/definition.js';
import { readSampleContent } from '../../extensions/sample-content/index.js';

type Values = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, AttributeDefinition>>;
interface Sample {
  readonly uid: string;
  readonly entries: readonly Values[];
}
type Check = (value: unknown, attribute: AttributeDefinition) => boolean;

const sampleContent: readonly Sample[] = readSampleContent();
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
const hasAttributes = (value: unknown): value is { readonly attributes: Attributes } =>
  isObject(value) && isObject(value['attributes']);

function readAttributes(file: string): Attributes {
  const definition: unknown = JSON.parse(readFileSync(join('content-types', file), 'utf8'));
  if (!hasAttributes(definition)) throw new Error(`${file} has no attributes`);
  return definition.attributes;
}
const attributesOfType = (uid: string): Attributes => readAttributes(`${uid.split('.')[1]}.json`);
const attributesOfComponent = (uid: string): Attributes => readAttributes(`components/${uid.replace('.', '/')}.json`);
const entriesOf = (uid: string): readonly Values[] => sampleContent.find((type) => type.uid === uid)?.entries ?? [];

/** Names that a client may send beside the attributes. */
const alwaysAllowed = new Set(['publishedAt', '__component']);
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isText: Check = (value, { maxLength = Infinity, regex = '' }) =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= Number(maxLength) &&
  new RegExp(String(regex), 'u').test(value);
const scalarChecks: Readonly<Record<string, Check>> = {
  string: isText,
  text: isText,
  richtext: isText,
  uid: (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/u.test(String(value)),
  email: (value) => /^[a-z.]+@[a-z]+\.example$/u.test(String(value)),
  enumeration: (value, attribute) => asList(attribute['enum']).includes(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => new Date(String(value)).toISOString().startsWith(`${String(value)}T`),
};

/** A value in the data, where it stands, and the number of its entry among those of its type. */
interface Place {
  readonly path: string;
  readonly uid: string;
  readonly id: number;
}

/** A relation may lead to entries that are loaded before its own entry. */
function findRelationFaults(value: unknown, attribute: AttributeDefinition, place: Place): readonly string[] {
  const order = sampleContent.map((type) => type.uid);
  const target = String(attribute['target']);
  const loaded = target === place.uid ? place.id - 1 : entriesOf(target).length;
  const isLater = order.indexOf(target) > order.indexOf(place.uid);
  const many = String(attribute['relation']).endsWith('ToMany');
  const ids = asList(value);
  const fits = Array.isArray(value) === many && new Set(ids).size === ids.length;
  return fits && !isLater && ids.every((id) => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= loaded)
    ? []
    : [`${place.path}: ${JSON.stringify(value)} leads to no ${target} that is loaded by then`];
}

function findComponentFaults(value: unknown, attribute: AttributeDefinition, place: Place): readonly string[] {
  const isZone = attribute.type === 'dynamiczone';
  const repeated = isZone || attribute['repeatable'] === true;
  if (Array.isArray(value) !== repeated) return [`${place.path}: ${repeated ? 'no list' : 'a list'}`];
  return asList(value).flatMap((item, index) => {
    const path = repeated ? `${place.path}.${index}` : place.path;
    if (!isObject(item)) return [`${path}: no component`];
    const uid = isZone ? item['__component'] : attribute['component'];
    return isZone && !asList(attribute['components']).includes(uid)
      ? [`${path}: the zone does not list ${String(uid)}`]
      : findFaults(item, attributesOfComponent(String(uid)), { ...place, path });
  });
}

function findValueFaults(value: unknown, attribute: AttributeDefinition, place: Place): readonly string[] {
  if (attribute.type === 'relation') return findRelationFaults(value, attribute, place);
  if (['component', 'dynamiczone'].includes(attribute.type)) return findComponentFaults(value, attribute, place);
  return scalarChecks[attribute.type]?.(value, attribute) === true
    ? []
    : [`${place.path}: ${JSON.stringify(value)} is no ${attribute.type} that fits`];
}

function findFaults(values: Values, attributes: Attributes, place: Place): readonly string[] {
  const missing = Object.entries(attributes)
    .filter(([name, attribute]) => attribute['required'] === true && values[name] === undefined)
    .map(([name]) => `${place.path}.${name}: missing`);
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const attribute = attributes[name];
    if (attribute) return findValueFaults(value, attribute, { ...place, path: `${place.path}.${name}` });
    return alwaysAllowed.has(name) ? [] : [`${place.path}.${name}: unknown`];
  });
  return [...missing, ...faults];
}

const articles = entriesOf('api::article.article');
const isDraft = (entry: Values): boolean => entry['publishedAt'] === null;

describe.each(sampleContent)('sample entries of $uid', ({ uid, entries }) => {
  test('match their definitions and refer to entries that are loaded before them', () => {
    const faults = entries.flatMap((values, index) =>
      findFaults(values, attributesOfType(uid), { path: `${uid} ${index + 1}`, uid, id: index + 1 }),
    );
    expect(faults).toEqual([]);
  });

  test('have unique values in unique attributes', () => {
    for (const [name, attribute] of Object.entries(attributesOfType(uid))) {
      if (attribute.type !== 'uid' && attribute['unique'] !== true) continue;
      const values = entries.map((entry) => entry[name]);
      expect(values).not.toContain(undefined);
      expect(new Set(values).size).toBe(entries.length);
    }
  });
});

test('the checks detect an unknown component, a forward relation, a wrong type, a missing and a long title', () => {
  const wrong = {
    kind: 'poem',
    related: [2],
    blocks: [{ __component: 'shared.link' }],
    seo: { metaTitle: 'x'.repeat(61) },
  };
  const uid = 'api::article.article';
  expect(findFaults(wrong, attributesOfType(uid), { path: 'x', uid, id: 2 })).toEqual([
    expect.stringMatching(/^x.title: missing/u),
    expect.stringMatching(/^x.kind: /u),
    expect.stringMatching(/^x.related: /u),
    expect.stringMatching(/^x.blocks.0: the zone/u),
    expect.stringMatching(/^x.seo.metaTitle: /u),
  ]);
});

test('there are 30 articles, 4 of them drafts, and the published ones are dated in 2025 or 2026', () => {
  expect(articles).toHaveLength(30);
  expect(articles.filter(isDraft)).toHaveLength(4);
  for (const article of articles.filter((entry) => !isDraft(entry)))
    expect(article['publishedOn']).toMatch(/^202[56]-/u);
});

test('every tag, category and author has a published article', () => {
  const published = articles.filter((entry) => !isDraft(entry));
  for (const [name, uid] of [
    ['tags', 'api::tag.tag'],
    ['category', 'api::category.category'],
    ['author', 'api::author.author'],
  ] as const) {
    const used = new Set(published.flatMap((entry) => asList(entry[name])));
    expect(used.size).toBe(entriesOf(uid).length);
  }
});

test('a body has 120 to 250 words in 2 to 5 paragraphs', () => {
  const unlike = articles.filter((entry) => {
    const body = String(entry['body']);
    const [words, paragraphs] = [body.split(/\s+/u).length, body.split('\n\n').length];
    return words < 120 || words > 250 || paragraphs < 2 || paragraphs > 5;
  });
  expect(unlike.map((entry) => entry['title'])).toEqual([]);
});

test('the categories are a tree of two levels', () => {
  const categories = entriesOf('api::category.category');
  const children = categories.filter((category) => category['parent'] !== undefined);
  expect([categories.length, children.length]).toEqual([9, 4]);
  for (const child of children) expect(categories[Number(child['parent']) - 1]).not.toHaveProperty('parent');
});
