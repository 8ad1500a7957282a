import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { RequestError } from '@content-service/client';
import { english } from '../../src/browser/language/english/english.js';
import { ExplainedError, messageOf } from '../../src/browser/language/message-of.js';

test('only what the service or the editor refused is said in its words', () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const mistake = new TypeError('i.map is not a function');
  expect(messageOf(english, new RequestError(403, 'ForbiddenError', 'Your role does not allow this.', {}))).toBe(
    'Your role does not allow this.',
  );
  expect(messageOf(english, new ExplainedError('Choose a time'))).toBe('Choose a time');
  expect([mistake, 'i.map', undefined].map((error) => messageOf(english, error))).toEqual(
    [1, 2, 3].map(() => english.refusals.unexpected),
  );
  expect(log).toHaveBeenCalledWith(mistake);
  log.mockRestore();
});

test('no page reads the words of an error by itself', () => {
  const folder = path.resolve('packages/editor/src/browser');
  const readers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== path.join('language', 'message-of.ts'))
    .filter((name) =>
      /\b(?:error|cause|failure|reason)\.message\b|String\((?:error|cause|failure)\)/.test(
        readFileSync(path.join(folder, name), 'utf8'),
      ),
    );
  // As a detail of a request that did not reach the service, which no page shows.
  expect(readers).toEqual([path.join('api', 'api.ts')]);
});
