import { expect, test } from '@jest/globals';
import { nearestName, suggestion } from '../../../src/errors/nearest-name.js';

test.each([
  ['strng', ['text', 'string'], 'string'],
  ['api::autor.autor', ['api::article.article', 'api::author.author'], 'api::author.author'],
  ['Title', ['title', 'titles'], 'title'],
  ['ab', ['ac', 'xy'], 'ac'],
  ['titel', ['tiles', 'title'], 'tiles'],
  ['a', ['b'], undefined],
  ['title', ['body'], undefined],
  ['title', [], undefined],
])('the nearest name to %s in %j is %s', (name, names, nearest) => {
  expect(nearestName(name, names)).toBe(nearest);
});

test('a message suggests the nearest name, else a short list, else nothing', () => {
  const many = Array.from({ length: 26 }, (_, index) => `number${index}`);
  expect(suggestion('red', ['reds', 'blue'])).toBe('; did you mean "reds"?');
  expect(suggestion('green', ['red', 'blue'])).toBe('; it can be red, blue');
  expect(suggestion(undefined, ['red', 'blue'])).toBe('; it can be red, blue');
  expect(suggestion('x', many)).toBe('');
  expect(suggestion('x', [])).toBe('');
});
