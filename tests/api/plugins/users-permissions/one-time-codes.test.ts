import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { corpus } from '../../../support/service.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import request from 'supertest';
import type { Answer } from '../../../support/service.js';
import { startMailServer, type MailServer } from './mail-server.js';

const config = {
  rateLimit: false,
  emailConfirmation: true,
  emailConfirmationUrl: 'https://shop.test/api/auth/email-confirmation',
  emailConfirmationRedirection: 'https://shop.test/welcome',
  resetPasswordUrl: 'https://shop.test/reset?from=mail',
};
let mails: MailServer;
let service: TestService;
beforeAll(async () => {
  mails = await startMailServer();
  service = await createTestService({
    contentTypes: corpus,
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    environment: { SMTP_URL: mails.url, MAIL_FROM: 'Shop <shop@shop.test>' },
    plugins: { 'users-permissions': { config } },
  });
});
afterAll(async () => {
  await service.close();
  await mails.close();
});

const users = () => service.database.db.collection('up_users');
const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  request(service.url).post(`/api/auth/${path}`).set(headers).send(body);
const confirm = async (confirmation: string): Promise<Answer> =>
  request(service.url).get(`/api/auth/email-confirmation?confirmation=${confirmation}`);
const register = (name: string): Promise<Answer> =>
  post('local/register', { username: name, email: `${name}@example.test`, password: `secret-of-${name}` });
const reset = (code: unknown, password: string): Promise<Answer> =>
  post('reset-password', { code, password, passwordConfirmation: password });
const codeIn = (mail: string): string => /(?:code|confirmation)=(\w+)/.exec(mail)?.[1] ?? '';

const logIn = (name: string): Promise<Answer> => post('local', { identifier: name, password: `secret-of-${name}` });

/** A user who has confirmed the address. */
async function registerConfirmed(name: string): Promise<void> {
  await register(name);
  await confirm(codeIn(await mails.next()));
}
async function forgotPassword(name: string): Promise<string> {
  await post('forgot-password', { email: `${name}@example.test` });
  return codeIn(await mails.next());
}

describe('an email address', () => {
  test('must be confirmed before the first login with the code of the mail, which is valid once', async () => {
    const { status, body } = await register('sven');
    expect([status, Object.keys(body), body.user.confirmed]).toEqual([200, ['user'], false]);
    expect((await logIn('sven')).body.error.message).toBe('Your account email is not confirmed');

    const mail = await mails.next();
    expect(mail).toMatch(/^From: Shop <shop@shop.test>\r\nTo: sven@example.test\r\n/);
    expect(mail).toContain(`https://shop.test/api/auth/email-confirmation?confirmation=${codeIn(mail)}`);
    const { status: redirected, headers } = await confirm(codeIn(mail));
    expect([redirected, headers['location']]).toEqual([302, 'https://shop.test/welcome']);
    expect((await logIn('sven')).status).toBe(200);
    expect((await confirm(codeIn(mail))).body.error.message).toBe('Invalid token');
  });

  test('is not confirmed by a code that is a day old', async () => {
    await register('tara');
    const code = codeIn(await mails.next());
    await users().updateOne({ username: 'tara' }, { $set: { confirmationExpiresAt: new Date(Date.now() - 1) } });
    expect((await confirm(code)).body.error.message).toBe('Invalid token');
  });

  test('S46: gets the same response to a request for a new code, whether it is unknown, confirmed or not', async () => {
    await registerConfirmed('ulla');
    await register('vera');
    await mails.next();
    for (const name of ['ulla', 'vera', 'unknown']) {
      const email = `${name}@example.test`;
      expect(await post('send-email-confirmation', { email })).toMatchObject({
        status: 200,
        body: { email, sent: true },
      });
    }
    expect(await mails.next()).toContain('To: vera@example.test');
    expect(mails.unread).toBe(0);
  });
});

describe('a code for a new password', () => {
  test('S47: is valid once, and its mail links to the configured page', async () => {
    await registerConfirmed('wanda');
    await post(
      'forgot-password',
      { email: 'WANDA@example.test' },
      { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' },
    );
    const mail = await mails.next();
    // S52: no part of the link comes from the request.
    expect(mail).toContain(`https://shop.test/reset?from=mail&code=${codeIn(mail)}`);
    expect(mail).not.toContain('evil');

    expect((await reset(codeIn(mail), 'new-secret')).status).toBe(200);
    expect((await post('local', { identifier: 'wanda', password: 'new-secret' })).status).toBe(200);
    expect((await reset(codeIn(mail), 'other-secret')).body.error.message).toBe('Incorrect code provided');
  });

  test('S47: succeeds once in 20 concurrent requests', async () => {
    await registerConfirmed('xaver');
    const code = await forgotPassword('xaver');
    const attempts = Array.from({ length: 20 }, (_, index) => reset(code, `new-secret-${index}`));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
  });

  test('S47: becomes invalid after a newer one, an hour, or a change of the password', async () => {
    await registerConfirmed('yann');
    const first = await forgotPassword('yann');
    const second = await forgotPassword('yann');
    expect((await reset(first, 'new-secret')).status).toBe(400);
    await users().updateOne({ username: 'yann' }, { $set: { resetPasswordExpiresAt: new Date(Date.now() - 1) } });
    expect((await reset(second, 'new-secret')).status).toBe(400);
    const third = await forgotPassword('yann');
    const user = await users().findOne({ username: 'yann' });
    await service.entries.update('plugin::users-permissions.user', Number(user?._id), { password: 'changed-secret' });
    expect((await reset(third, 'new-secret')).status).toBe(400);
  });

  test('S47: is stored as a hash only', async () => {
    await registerConfirmed('zora');
    const code = await forgotPassword('zora');
    const stored = JSON.stringify(await users().find().toArray());
    expect(code).toMatch(/^\w{64}$/);
    expect(stored).not.toContain(code);
  });

  test('is never stored as a signature that forges a web token', async () => {
    await registerConfirmed('zita');
    const user = await users().findOne({ username: 'zita' });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id: user?._id, iat: 1, exp: 9_999_999_999 })}`;
    await service.entries.update('plugin::users-permissions.user', Number(user?._id), { resetPasswordToken: token });
    const stored = String((await users().findOne({ username: 'zita' }))?.['resetPasswordToken']);
    const signature = Buffer.from(stored, 'hex').toString('base64url');
    const me = await request(service.url).get('/api/users/me').auth(`${token}.${signature}`, { type: 'bearer' });
    expect(me.status).toBe(401);
  });

  test('has at most 256 characters', async () => {
    const long = 'x'.repeat(257);
    expect((await reset(long, 'new-secret')).body.error.message).toBe('code must be at most 256 characters');
    expect((await confirm(long)).body.error.message).toBe('confirmation must be at most 256 characters');
    const body = { resetPasswordToken: long };
    const put = request(service.url).put('/api/users/1').auth(service.token, { type: 'bearer' }).send(body);
    expect((await put).body.error.message).toBe('resetPasswordToken must be at most 256 characters');
  });

  test('stays valid after a refused new password', async () => {
    await registerConfirmed('adam');
    const code = await forgotPassword('adam');
    expect((await reset(code, 'short')).body.error.message).toBe('password must be at least 6 characters');
    expect((await reset(code, 'long enough')).status).toBe(200);
  });

  test.each([[{ $ne: null }], [{ $regex: '^a' }], [[]], ['']])('S22: is refused as %j', async (code) => {
    await forgotPassword('adam');
    const before = await users().find().toArray();
    const { status, body } = await reset(code, 'new-secret');
    expect([status, body.error.name]).toEqual([400, 'ValidationError']);
    expect(await users().find().toArray()).toEqual(before);
  });

  test('S22: an address that is an operator gets no mail and is not confirmed', async () => {
    expect((await post('forgot-password', { email: { $gt: '' } })).status).toBe(400);
    const path = '/api/auth/email-confirmation?confirmation[$ne]=x';
    expect((await request(service.url).get(path)).body.error.name).toBe('ValidationError');
  });

  test('S79: is mailed without evaluating templates', async () => {
    await registerConfirmed('beat');
    const email = '${7*7}<%=process.pid%>@example.test'.replaceAll(/[<>]/g, '');
    await users().updateOne({ username: 'beat' }, { $set: { email } });
    await post('forgot-password', { email });
    expect(await mails.next()).toContain('To: ${7*7}%=process.pid%@example.test');
  });
});

test('S45: forgot-password has the same response for existing and unknown addresses, before the mail is sent or fails', async () => {
  await registerConfirmed('cleo');
  const ask = async (): Promise<readonly unknown[]> => {
    const answers = [];
    for (const name of ['cleo', 'nobody']) {
      const { status, body } = await post('forgot-password', { email: `${name}@example.test` });
      answers.push({ status, body });
    }
    return answers;
  };
  const alike = [
    { status: 200, body: { ok: true } },
    { status: 200, body: { ok: true } },
  ];
  const speak = mails.fallSilent();
  expect(await ask()).toEqual(alike);
  expect(mails.unread).toBe(0);
  speak();
  expect(await mails.next()).toContain('To: cleo@example.test');
  await mails.close();
  expect(await ask()).toEqual(alike);
});
