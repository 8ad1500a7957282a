import { expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/users-permissions/settings.js';

test.each([
  [900, 900],
  ['45s', 45],
  ['10 minutes', 600],
  ['12h', 43_200],
  ['30 days', 2_592_000],
  ['1w', 604_800],
  ['2y', 63_115_200],
])('tokens that expire in %j are valid for %i seconds', (expiresIn, seconds) => {
  expect(parseSettings({ jwt: { expiresIn } }).tokenLifetime).toBe(seconds);
});

test.each(['', '0d', '2 fortnights', '-1h', '1.5h', 'h'])('an expiry of %j is refused', (expiresIn) => {
  expect(() => parseSettings({ jwt: { expiresIn } })).toThrow('config.jwt.expiresIn');
});
