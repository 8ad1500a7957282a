import { describe, expect, test } from '@jest/globals';
import { parseSettings } from '../../../../src/plugins/users-permissions/settings.js';

test.each([
  [{}, { attempts: 5, within: 300 }],
  [{ rateLimit: false }, undefined],
  [{ rateLimit: { attempts: 3, minutes: 1 } }, { attempts: 3, within: 60 }],
  [{ ratelimit: {} }, { attempts: 10, within: 60 }],
  [{ ratelimit: { enabled: false } }, undefined],
  [{ ratelimit: { interval: { min: 5 }, max: 100 } }, { attempts: 100, within: 300 }],
  [{ ratelimit: { interval: 1500 } }, { attempts: 10, within: 2 }],
  [{ ratelimit: { max: '3' } }, { attempts: 3, within: 60 }],
  [
    { rateLimit: { attempts: 3 }, ratelimit: { max: 1 } },
    { attempts: 3, within: 300 },
  ],
])('%j limits attempts to %j', (config, limit) => {
  expect(parseSettings(config).rateLimit).toEqual(limit);
});

const unknownSettings: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ allowRegsiter: false }, 'config.allowRegsiter'],
  [{ jwt: { issuer: 'a' } }, 'config.jwt.issuer'],
  [{ register: { fields: [] } }, 'config.register.fields'],
  [{ rateLimit: { max: 5 } }, 'config.rateLimit.max'],
  [{ ratelimit: { prefixKey: 'a' } }, 'config.ratelimit.prefixKey'],
];
describe.each(unknownSettings)('%j', (config, path) => {
  test('is refused', () => {
    expect(() => parseSettings(config)).toThrow(`Plugin users-permissions: ${path} is not supported; allowed: `);
  });

  test('is reported in a Strapi v4 project', () => {
    const lines: string[] = [];
    parseSettings(config, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining(`Plugin users-permissions: ${path} is not supported`)]);
  });
});

test.each([
  [{ ratelimit: { interval: { minutes: 5 } } }, 'config.ratelimit.interval'],
  [{ ratelimit: true }, 'config.ratelimit'],
  [{ ratelimit: { max: [3] } }, 'config.ratelimit.max'],
  [{ rateLimit: { attempts: '5' } }, 'config.rateLimit.attempts'],
  [{ rateLimit: { minutes: 1.5 } }, 'config.rateLimit.minutes'],
  [{ callback: {} }, 'config.callback'],
  [{ jwtSecret: 5 }, 'config.jwtSecret'],
])('%j is refused in every project', (config, path) => {
  expect(() => parseSettings(config, () => undefined)).toThrow(path);
});
