import { expect, test } from '@jest/globals';
import { lineOf } from '../../../src/content-types/load/report.js';

const text = `{
  "info": { "displayName": "a \\"author\\": {" },
  "options": [{ "attributes": 1 }],
  "attributes": {
    "title": { "type": "string" },
    "author": {
      "type": "relation",
      "target": "api::autor.autor"
    }
  },
  "pluginOptions": {}
}`;

test.each([
  ['attributes.author.target', 8],
  ['attributes.author', 6],
  ['attributes.title.type', 5],
  ['info.displayName', 2],
  ['attributes', 4],
  ['attributes.author.inversedBy', 6],
  ['attributes.missing.type', 4],
  ['pluginOptions.i18n', 11],
  ['collectionName', 1],
])('lineOf finds %s in line %d', (path, line) => {
  expect(lineOf(text, path)).toBe(line);
});
