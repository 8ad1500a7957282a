import { expect, test } from '@jest/globals';
import {
  exportedAttributes,
  exportFormats,
  formatOf,
  type ExportFormat,
} from '../../src/browser/model/lists/export.js';
import { article, content } from './content.js';

const attributes = exportedAttributes(article);
const written = (format: ExportFormat, entries: readonly { readonly id: number; readonly attributes: object }[]) => {
  const { begin, entry: write, end } = formatOf(format);
  const rows = entries.map(({ id, attributes: values }, index) =>
    write({ content, type: article, attributes, entry: { id, attributes: { ...values } } }, index === 0),
  );
  return [begin(attributes), ...rows, end].join('');
};

const entries = [
  {
    id: 1,
    attributes: {
      title: 'A "b", c\nd',
      rating: -4,
      meta: { on: true },
      author: { data: { id: 3, attributes: { name: 'Ada' } } },
      tags: {
        data: [
          { id: 7, attributes: {} },
          { id: 8, attributes: {} },
        ],
      },
      publishedAt: null,
    },
  },
  { id: 2, attributes: { title: '=1+1', serial: '-10' } },
];

test('an export has what the user may read, and no more', () => {
  expect(attributes.map(({ name }) => name)).toEqual([
    'title', 'rating', 'serial', 'meta', 'startsAt', 'author', 'tags', 'links', 'updatedAt', 'publishedAt',
  ]); // prettier-ignore
  expect(exportFormats).toEqual(['csv', 'json']);
});

test('tables have a line for each entry, are quoted, and hold no formulas', () => {
  expect(written('csv', entries)).toBe(
    [
      '\uFEFFid,Title,Rating,Serial,Meta,Starts at,Author,Tags,Links,Updated at,Published at',
      '1,"A ""b"", c\nd",-4,,"{""on"":true}",,Ada,"#7, #8",,,',
      "2,'=1+1,,-10,,,,,,,",
      '',
    ].join('\r\n'),
  );
});

test('JSON has the entries as the service has them, also where there are none', () => {
  expect(JSON.parse(written('json', entries))).toEqual(entries);
  expect(JSON.parse(written('json', []))).toEqual([]);
});
