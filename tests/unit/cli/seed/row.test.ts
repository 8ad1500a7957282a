import { expect, test } from '@jest/globals';
import { parseRow } from '../../../../src/cli/commands/seed/row.js';
import { loadCorpus } from '../../../support/golden.js';

const registry = loadCorpus();
const parse = async (text: string) =>
  parseRow({ kind: 'value', line: 7, value: JSON.parse(text), read: 0 }, await registry);

test('a header names a content type and its key attribute', async () => {
  const { contentTypes } = await registry;
  const type = contentTypes.get('api::product.product');
  const key = type?.attributes.get('sku');
  expect(await parse('{"$type":"api::product.product","$key":"sku"}')).toEqual({
    kind: 'section',
    line: 7,
    section: { type, key },
  });
});

test('a single type needs no key', async () => {
  const row = await parse('{"$type":"api::homepage.homepage"}');
  expect(row).toMatchObject({ kind: 'section', section: { key: undefined } });
});

test.each([
  [
    '{"$type":"api::produkt.produkt","$key":"sku"}',
    /^\$type names an unknown content type "api::produkt\.produkt"; did you mean "api::product\.product"\?$/,
  ],
  [
    '{"$type":"api::product.product"}',
    /^\$key must name an attribute of api::product\.product that is unique; allowed: .*sku/,
  ],
  ['{"$type":"api::product.product","$key":"name"}', /^\$key must name an attribute/],
  ['{"$type":"api::comment.comment","$key":"body"}', /allowed: none yet: give one of them "unique": true$/],
  [
    '{"$type":"api::tag.tag","$key":"name","$keys":[]}',
    /^\$keys is not allowed in a header; allowed: \$type and \$key$/,
  ],
])('an invalid header says what is allowed: %s', async (text, rule) => {
  expect(await parse(text)).toEqual({ kind: 'wrong', line: 7, rule: expect.stringMatching(rule), frame: true });
});

test('a row that is not an object is reported with its position', async () => {
  expect(await parse('[1]')).toMatchObject({ kind: 'wrong', line: 7, rule: 'must be an object in braces' });
});
