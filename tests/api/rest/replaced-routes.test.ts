import { expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { sendRaw } from '../../security/send-raw.js';
import { useService } from '../../support/service.js';

const own = async (): Promise<{ readonly body: unknown }> => ({ body: { own: true } });
const extension: Extension = {
  routes: [
    { method: 'GET', path: '/comments', action: undefined, handle: own },
    { method: 'GET', path: '/comments/:id', action: undefined, handle: own },
    { method: 'DELETE', path: '/tags/1', action: undefined, handle: own },
    { method: 'PUT', path: '/setting', action: undefined, handle: own },
    { method: 'POST', path: '/upload', action: undefined, handle: own },
  ],
};
const client = useService({ extension });

test.each([
  ['GET', '/api/comments'],
  ['GET', '/api/%63omments'],
  ['GET', '/%61pi/comments'],
  ['GET', '/API/%43omments/'],
  ['GET', '/api/comments/1'],
  ['GET', '/api/%63%6fmments/1/'],
  ['GET', '/api/comments/%31'],
  ['GET', '/api/./comments'],
  ['GET', '/api/tags/%2e%2E/comments/.'],
  ['DELETE', '/api/tags/%31'],
  ['DELETE', '/api/%74ags/1/'],
] as const)('%s %s is answered by the route of the project', async (method, path) => {
  expect(await sendRaw(client.service, path, { method })).toMatchObject({ status: 200, text: '{"own":true}' });
});

test.each([
  { create: 'setting', data: { siteName: 'Site' } },
  { update: 'setting', id: 1, data: { siteName: 'Site' } },
  { update: 'upload/files', id: 1, data: { caption: 'Menu' } },
])('a batch with %j does not bypass it', async (operation) => {
  const sending = request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' });
  const { status, body } = await sending.send({ operations: [operation] });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('Code of the project takes part in')]);
});

test.each([
  '/api/%2563omments',
  '/api/%%363omments',
  '/api/%6%33omments',
  '/api//comments',
  '//api/comments',
  '/api/comments%2F1',
  '/api%2Fcomments',
  '/api/comments//',
])('%s names no entry', async (path) => {
  const { status } = await sendRaw(client.service, path);
  expect([400, 404]).toContain(status);
});
