import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from '../api/strapi/project-folder.js';
import { configurations, gone, routed, sent } from '../api/strapi/routed-project.js';
import fc from '../support/fast-check.js';
import { scaled } from '../support/scaled.js';

const code = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Ways to write a letter, a digit or a hyphen. */
const ofCharacter: readonly ((character: string) => string)[] = [
  (character) => character.toUpperCase(),
  code,
  (character) => code(character).toUpperCase(),
  (character) => code(character.toUpperCase()),
  (character) => code(character).replace('%', '%25'),
  (character) => `%${code(character)}`,
  (character) => [...code(character)].map((one) => (one === '%' ? one : code(one))).join(''),
];

/** Ways to write a slash. */
const ofSlash = ['//', '/./', '/%2e/', '/x/../', '/x/%2E./', '%2F', '%2f', '%252F', '\\', '%5C', '///'] as const;

/** Ways to end a path. */
const ends = ['/', '//', '/.', '/%2e', '%2F', '/x/..', '?', '/?', '?x=1', '#'] as const;

/** A spelling of a path: mostly as it is, with some characters in other ways. */
function spellingOf(path: string): fc.Arbitrary<string> {
  const usual = <T>(value: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: others });
  const parts = [...path].map((character) =>
    character === '/'
      ? usual('/', fc.constantFrom<string>(...ofSlash))
      : usual(
          character,
          fc.constantFrom(...ofCharacter).map((write) => write(character)),
        ),
  );
  const end = fc.oneof(fc.constant(''), fc.constantFrom<string>(...ends));
  return fc.tuple(...parts, end).map((written) => written.join(''));
}

const all = [...routed, ...gone].map(([method, path]) => ({ method, path }));

describe.each(configurations)('with %s', (_, prefix, files) => {
  let project: RunningProject;
  beforeAll(async () => {
    project = await openProjectFolder(files);
  });
  afterAll(() => project.stop());

  const answer = async (method: string, path: string): Promise<{ readonly status: number; readonly body: string }> => {
    const { status, body } = await project.send(method, path, sent[method]);
    return { status, body: JSON.stringify(body).replaceAll(/"updatedAt":"[^"]*"/g, '') };
  };

  test('however a path is spelled, its route answers, or none', async () => {
    const answers = new Map<string, object>();
    for (const { method, path } of all) answers.set(method + path, await answer(method, prefix + path));
    const requests = fc
      .tuple(fc.constantFrom(...all), fc.constantFrom(prefix, prefix, '/api'))
      .chain(([{ method, path }, before]) =>
        fc.record({ method: fc.constant(method), path: fc.constant(path), url: spellingOf(before + path) }),
      );
    const count = { found: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, url }) => {
        const given = await answer(method, url);
        const isRefused = [400, 404, 405].includes(given.status);
        count[isRefused ? 'refused' : 'found'] += 1;
        if (!isRefused) expect({ method, url, ...given }).toEqual({ method, url, ...answers.get(method + path) });
      }),
      { numRuns: scaled(600, 30_000) },
    );
    // Otherwise the spellings do not come across anything.
    expect(Math.min(count.found, count.refused)).toBeGreaterThan(scaled(60, 3000));
  });
});
