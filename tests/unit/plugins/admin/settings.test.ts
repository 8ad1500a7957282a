import { expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/admin/settings.js';

const uid = 'api::article.article';

test.each([
  [{ preview: {} }, 'admin.config.preview is unknown; allowed: previews'],
  [{ previews: [] }, 'admin.config.previews is not an object'],
  [{ previews: { [uid]: '/articles/{id}' } }, `admin.config.previews["${uid}"] is not an address`],
  [{ previews: { [uid]: 'javascript:alert(1)' } }, 'is not an address'],
])('settings that break a rule are refused: %j', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(message);
});

test('unknown settings of a Strapi v4 project are reported', () => {
  const lines: string[] = [];
  expect(parseSettings({ theme: 'dark' }, (line) => void lines.push(line))).toEqual({});
  expect(lines).toEqual(['admin.config.theme is unknown; allowed: previews']);
});
