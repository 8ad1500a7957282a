import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { loadConfig } from '../../../../src/config/load-config.js';
import { createService } from '../../../../src/app/app.js';
import { openDatabase } from '../../../../src/mongo/connection/open-database.js';
import { corpus } from '../../../support/service.js';

test('S80: no password, token or code is logged', async () => {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'logs-'));
  const environment = {
    NODE_ENV: 'test',
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: `test_logs_${process.pid}`,
    DATA_FOLDER: dataFolder,
    CONTENT_TYPES: path.resolve(corpus),
    LOG_REQUESTS: 'true',
    MONITOR_COMMANDS: 'true',
    SMTP_URL: 'smtp://nobody:smtp-secret@127.0.0.1:9',
  };
  const lines: string[] = [];
  const note = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts, describeErrors));
  const loaded = await loadConfig(environment, dataFolder);
  const config = { ...loaded, log: { ...loaded.log, slowQuery: 1 } };
  const log = { info: note, warn: note, error: note };
  const opening = openDatabase({ ...config.database, dataFolder, monitored: true }, log);
  const service = await createService(config, opening, log);
  const { db } = await opening;

  const post = (name: string, body: object) => request(service.handler).post(`/api/auth/${name}`).send(body);
  const password = 'the-secret-password';
  const email = 'anna@example.test';
  const { body } = await post('local/register', { username: 'anna', email, password });
  await post('local', { identifier: 'anna', password });
  await post('local', { identifier: 'anna', password: 'the-secret-guess' });
  await post('forgot-password', { email });
  await post('reset-password', { code: 'the-secret-code', password, passwordConfirmation: password });
  await request(service.handler).get('/api/auth/email-confirmation?confirmation=the-secret-code');
  await request(service.handler).get('/api/users/me').auth(body.jwt, { type: 'bearer' });
  await request(service.handler).get('/api/users/me').auth('the-secret-token', { type: 'bearer' });
  // An unexpected failure is logged completely, with its request.
  await db.collection('up_users').drop();
  await db.createCollection('up_users', { viewOn: 'up_roles', pipeline: [{ $set: { x: { $divide: [1, 0] } } }] });
  await post('local', { identifier: 'anna', password });
  await post('forgot-password', { email });
  await db.dropDatabase();
  await service.close();

  const logged = lines.join('\n');
  expect(logged).toContain('Sending a mail to reset a password failed');
  expect(logged).toContain('Request failed');
  expect(logged).toContain('Slow query');
  expect(logged).toContain('"path":"/api/auth/email-confirmation"');
  expect(logged).not.toMatch(/the-secret|smtp-secret/);
  expect(logged).not.toContain(body.jwt);
  await rm(dataFolder, { recursive: true });
});

function describeErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
}
