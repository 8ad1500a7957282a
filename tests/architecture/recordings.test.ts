import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { notCompact } from '../../scripts/conformance/recordings.js';
import { readSourceFiles } from './source-files.js';

/** The recordings that a comment names, such as "(corpus: 13-populate/15-lists, 14-sort-fields-pagination/10-sort)". */
const recordingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\(corpus: ([^)]+)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replaceAll(/[\s*]/g, '')),
  );

test('the recordings that comments name exist', () => {
  const named = readSourceFiles().flatMap(({ name, text }) =>
    recordingsIn(text).map((recording) => ({ file: name, recording })),
  );
  expect(named.length).toBeGreaterThan(20);
  const isMissing = ({ recording }: { readonly recording: string }): boolean =>
    !existsSync(
      `tests/fixtures/${recording.startsWith('project-corpus/') ? '' : 'corpus/scenarios/'}${recording}.json`,
    );
  expect(named.filter(isMissing)).toEqual([]);
});

test.each(['corpus', 'project-corpus', 'strapi5-project-corpus'])(
  'each step of the %s is a line; `npm run conformance -- --compact` does that',
  async (corpus) => {
    expect([...(await notCompact(`tests/fixtures/${corpus}`)).keys()]).toEqual([]);
  },
);
