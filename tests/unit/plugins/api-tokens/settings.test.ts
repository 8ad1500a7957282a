import { expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/api-tokens/api-tokens.js';

test.each([
  [{ routes: 'yes' }, 'Plugin api-tokens: config.routes "yes" must be true or false'],
  [{ routs: true }, 'Plugin api-tokens: config.routs is not supported; allowed: routes'],
])('%j is refused by its name', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(new Error(message));
});

test('an unknown setting of a Strapi project is reported', () => {
  const lines: string[] = [];
  expect(parseSettings({ routes: true, other: 1 }, (line) => lines.push(line))).toEqual({ routes: true });
  expect(lines).toEqual(['Plugin api-tokens: config.other is not supported; allowed: routes']);
});
