import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parseDeclaration } from '../../../../src/plugins/contract/read-declaration.js';
import { parseWebhooks } from '../../../../src/plugins/webhooks/parse-webhooks.js';
import { headersOf } from '../../../../src/plugins/webhooks/webhook.js';

const form = { name: '5', events: ['entry.publish', 'entry.draft-discard'], messagesOf: async () => [] };
const known = { contentTypes: new Map([['api::article.article', {} as never]]), forms: [form] };
const source = {
  variables: { SECRET: 'a secret of 20 chars', SHORT: 'short' },
} as const;
const parseAll = (webhooks: readonly unknown[], environment: 'production' | 'test' = 'production') =>
  parseDeclaration('config/webhooks.json', { webhooks }, { ...source, environment }, (file) =>
    parseWebhooks(file, known),
  ).webhooks;
const parse = (...webhooks: unknown[]) => parseAll(webhooks);
const complete = { name: 'site', url: 'https://example.com/hook', events: ['entry.create'] };

test('a webhook is read with its secret from the environment', () => {
  const declared = { ...complete, contentTypes: ['api::article.article'], secret: { env: 'SECRET' } };
  expect(parse(declared)).toEqual([
    {
      key: 'config:site',
      name: 'site',
      url: complete.url,
      headers: {},
      events: ['entry.create'],
      types: ['api::article.article'],
      secret: 'a secret of 20 chars',
      isEnabled: true,
    },
  ]);
});

test.each([
  [{ ...complete, name: undefined }, 'webhooks[0].name is missing'],
  [{ ...complete, url: 'ftp://example.com' }, 'webhooks[0].url must begin with https:// or http://'],
  [{ ...complete, url: 'nowhere' }, 'webhooks[0].url "nowhere" must be a URL'],
  [{ ...complete, url: 'https://user:pass@example.com' }, 'webhooks[0].url must not contain a password'],
  [{ ...complete, events: ['entry.creat'] }, 'entry.create'],
  [{ ...complete, events: [] }, 'webhooks[0].events is missing'],
  [{ ...complete, contentTypes: ['api::artikel.artikel'] }, 'webhooks[0].contentTypes[0]'],
  [{ ...complete, headers: { 'X Site': 'a' } }, 'webhooks[0].headers.X Site is not a valid header'],
  [{ ...complete, headers: { 'X-Site': 'a\nb' } }, 'webhooks[0].headers.X-Site is not a valid header'],
  [{ ...complete, secret: 'in the file' }, 'webhooks[0].secret must name an environment variable'],
  [{ ...complete, secret: { env: 'SHORT' } }, 'SHORT must have at least 16 characters'],
  [{ ...complete, event: [] }, 'webhooks[0].event is unknown'],
])('%j is refused', (webhook, message) => {
  expect(() => parse(webhook)).toThrow(message);
});

test.each([
  [complete, 'production', true],
  [complete, 'test', false],
  [{ ...complete, url: 'http://localhost:3000/hook', secret: { env: 'SECRET' } }, 'test', true],
  [{ ...complete, url: 'http://127.0.0.1:3000/hook', secret: { env: 'ABSENT' } }, 'test', false],
] as const)(
  'tests call no receiver on another machine, and need no secrets: %j in %s',
  (webhook, environment, isEnabled) => {
    expect(parseAll([webhook], environment)).toEqual([expect.objectContaining({ isEnabled })]);
  },
);

test('a webhook names the format of its events, and receives those that this has', () => {
  const inFormat = { ...complete, events: ['entry.draft-discard'], format: 5 };
  expect(parse(inFormat)).toEqual([expect.objectContaining({ format: '5' })]);
  expect(parse({ ...complete, format: 4 })).toEqual([expect.objectContaining({ format: undefined })]);
  expect(() => parse({ ...complete, format: 6 })).toThrow(
    'webhooks[0].format is a format that no plugin has; allowed: 4, 5',
  );
  expect(() => parse({ ...inFormat, format: 4 })).toThrow('webhooks[0].events[0]');
});

test('names identify webhooks', () => {
  expect(() => parse(complete, complete)).toThrow('have the name "site" twice');
});

test('the signature covers the timestamp and the body', () => {
  const delivery = { _id: 'config:site/7/entry.create', event: 'entry.create', body: '{"event":"entry.create"}' };
  const headers = headersOf({ headers: { 'X-Site': 'www' }, secret: 'secret' }, delivery, {}, new Date(5000));
  const signature = createHmac('sha256', 'secret').update('5.{"event":"entry.create"}').digest('hex');
  expect(headers).toMatchObject({ 'X-Site': 'www', 'X-Timestamp': '5', 'X-Signature': `sha256=${signature}` });
  expect(headersOf({ headers: {} }, delivery, {}, new Date())).toEqual({
    'X-Strapi-Event': 'entry.create',
    'Content-Type': 'application/json',
  });
});
