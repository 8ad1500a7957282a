import { expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/api-tokens/settings.js';

test.each([
  [{ routes: 'yes' }, 'api-tokens.config.routes is a string; allowed: true and false'],
  [{ routs: true }, 'api-tokens.config.routs is unknown; allowed: routes'],
])('%j is refused by its name', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(new Error(message));
});

test('an unknown setting of a Strapi project is reported', () => {
  const lines: string[] = [];
  expect(parseSettings({ routes: true, other: 1 }, (line) => lines.push(line))).toEqual({ routes: true });
  expect(lines).toEqual(['api-tokens.config.other is unknown; allowed: routes']);
});
