import { expect, test } from '@jest/globals';
import { parseSettings } from '../../src/settings.js';

const uid = 'api::article.article';

test.each([
  [{ preview: {} }, 'admin.config.preview is unknown; allowed: previews, name, logo, color'],
  [{ previews: [] }, 'admin.config.previews is not an object'],
  [{ previews: { [uid]: '/articles/{id}' } }, `admin.config.previews["${uid}"] is not an address`],
  [{ previews: { [uid]: 'javascript:alert(1)' } }, 'is not an address'],
  [{ name: '' }, 'admin.config.name is ""; allowed: at most 40 characters'],
  [{ logo: 'javascript:alert(1)' }, 'admin.config.logo is "javascript:alert(1)"; allowed: an address'],
  [{ color: 'red' }, 'admin.config.color is "red"; allowed: e.g. "#0b6b4f"'],
  [{ color: 7 }, 'admin.config.color is 7; allowed'],
])('settings that break a rule are refused: %j', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(message);
});

test('unknown settings of a Strapi v4 project are reported', () => {
  const lines: string[] = [];
  expect(parseSettings({ theme: 'dark' }, (line) => void lines.push(line))).toEqual({ previews: {}, identity: {} });
  expect(lines).toEqual(['admin.config.theme is unknown; allowed: previews, name, logo, color']);
});

test('the identity of the editor', () => {
  const identity = { name: 'Bakery', logo: '/uploads/bakery.svg', color: '#7A3E9D' };
  expect(parseSettings(identity)).toEqual({ previews: {}, identity });
});
