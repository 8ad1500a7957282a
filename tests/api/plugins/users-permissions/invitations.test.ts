import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { declare } from '../../../support/access.js';
import { corpus } from '../../../support/service.js';
import { startMailServer, type MailServer } from './mail-server.js';
import { usePeople } from './users-client.js';

const user = 'plugin::users-permissions.user';
const role = 'plugin::users-permissions.role';
const limitless = { 'users-permissions': { config: { rateLimit: false } } };
const article = 'api::article.article';
const managing = [`${user}.create`, `${user}.update`, `${user}.find`, `${user}.findOne`, `${user}.me`, `${role}.find`];
const reading = [`${article}.find`, `${article}.findOne`];

describe('S83: without a mail server', () => {
  const people = usePeople({ plugins: { ...limitless, admin: true }, environment: { PUBLIC_URL: 'https://cms.test' } });
  let chief: string;
  const roles = new Map<unknown, number>();
  beforeAll(async () => {
    await declare(people.service, {
      public: ['callback', 'resetPassword'].map((name) => `plugin::users-permissions.auth.${name}`),
      chief: [...managing, ...reading, { action: `${article}.delete`, where: { title: 'Mine' } }],
      inviting: [`${user}.create`, ...reading],
      reader: [reading[0] ?? ''],
      limited: [{ action: `${article}.find`, where: { title: 'Mine' } }],
      deleting: [`${article}.delete`],
      limitedDeleting: [{ action: `${article}.delete`, where: { title: 'Mine' } }],
      admin: [`${role}.updateRole`],
    });
    for (const { type, id } of await people.service.entries.findMany(role)) roles.set(type, id);
    const boss = { username: 'boss', email: 'boss@example.test', provider: 'local', confirmed: true };
    for (const type of ['chief', 'inviting'])
      await people.service.entries.create(user, {
        ...boss,
        username: type,
        email: `${type}@example.test`,
        password: 'secret-of-boss',
        role: roles.get(type),
      });
    chief = (await people.logIn('chief', 'secret-of-boss')).body.jwt;
  });
  const invite = (body: object, as = chief) => people.send('post', '/api/users/invite', body, as);
  const codeOf = ({ body }: { readonly body: { readonly link: string } }): string => new URL(body.link).hash.slice(1);
  const setPassword = (code: string, password = 'chosen-by-ada', path = 'invitation') =>
    people.send('post', `/api/auth/${path}`, { code, password, passwordConfirmation: password });

  test('the link is shown to whoever invites, and sets the password once', async () => {
    const invited = await invite({ email: 'Ada@Example.test', role: roles.get('reader') });
    expect([invited.status, invited.body]).toMatchObject([
      201,
      { sent: false, link: expect.stringMatching(/^https:\/\/cms\.test\/admin\/account\/invited#[\w-]{43}$/) },
    ]);
    expect(invited.body.user).toMatchObject({ username: 'Ada@Example.test', email: 'ada@example.test' });
    expect((await people.logIn('ada@example.test', '')).status).toBe(400);
    const code = codeOf(invited);
    // The rules of passwords hold, and a refused one does not use the code up.
    expect((await setPassword(code, 'short')).status).toBe(400);
    expect((await setPassword(code, 'x'.repeat(73))).status).toBe(400);
    const both = await Promise.all([setPassword(code), setPassword(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await setPassword(code)).status).toBe(400);
    const { body } = await people.logIn('ada@example.test', 'chosen-by-ada');
    expect((await people.send('get', '/api/articles', undefined, body.jwt)).status).toBe(200);
  });

  test('it is good for seven days', async () => {
    const code = codeOf(await invite({ email: 'bea@example.test', role: roles.get('reader') }));
    const bea = await people.service.entries.findFirst(user, { filters: { email: 'bea@example.test' } });
    const days = (Date.parse(String(bea?.['resetPasswordExpiresAt'])) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const over = { resetPasswordExpiresAt: new Date(Date.now() - 1000).toISOString() };
    await people.service.entries.update(user, bea?.id ?? 0, over);
    expect((await setPassword(code)).status).toBe(400);
  });

  test('a code for a forgotten password is none', async () => {
    const filters = { email: 'ada@example.test' };
    const ada = await people.service.entries.findFirst(user, { filters });
    await people.service.entries.update(user, ada?.id ?? 0, { resetPasswordToken: 'mailed' });
    expect((await setPassword('mailed')).status).toBe(400);
  });

  test('who has set no password yet can be invited again, which ends the former link; who has is taken', async () => {
    const dan = { email: 'dan@example.test', role: roles.get('reader') };
    const [first, second] = [codeOf(await invite(dan)), codeOf(await invite(dan))];
    expect([(await setPassword(first)).status, (await setPassword(second)).status]).toEqual([400, 200]);
    const again = await invite(dan);
    expect([again.status, again.body.error?.message]).toEqual([400, 'Email already taken']);
  });

  test('who invites again while the invited accepts gets no code for their account', async () => {
    const answers = [];
    for (let round = 0; round < 10; round++) {
      const gil = { email: `gil-${round}@example.test`, role: roles.get('reader') };
      const code = codeOf(await invite(gil));
      const [accepted, again] = await Promise.all([setPassword(code), invite(gil)]);
      const reset = (code: string) => setPassword(code, 'chosen-by-another', 'reset-password');
      answers.push([accepted.status, again.status === 201 ? (await reset(codeOf(again))).status : 400].toSorted());
    }
    expect(answers).toEqual(answers.map(() => [200, 400]));
  });

  test('who may not change users does not invite again', async () => {
    const eve = { email: 'eve@example.test', role: roles.get('reader') };
    const code = codeOf(await invite(eve));
    const { body } = await people.logIn('inviting', 'secret-of-boss');
    expect((await invite(eve, body.jwt)).body.error?.message).toBe('Email already taken');
    expect((await setPassword(code)).status).toBe(200);
  });

  test.each([
    ['reader', undefined],
    ['chief', undefined],
    ['limited', undefined],
    ['deleting', `role has ${article}.delete, which you may do only with a rule`],
    ['limitedDeleting', `role has ${article}.delete, which you may do only with a rule`],
    ['admin', `role has ${role}.updateRole, which you may not do yourself`],
    ['public', 'role must be the id of a role that users have'],
  ])('a role that has more than whoever invites is given to nobody: %s', async (type, message) => {
    const { body } = await invite({ email: `to-${type}@example.test`, role: roles.get(type) });
    expect(body.error?.message).toBe(message);
    const filters = { email: `to-${type}@example.test` };
    expect(await people.service.entries.count(user, { filters })).toBe(message === undefined ? 1 : 0);
  });

  test.each([
    [{ role: 1 }],
    [{ email: 'no address', role: 1 }],
    [{ email: 'x@example.test' }],
    [{ email: 'x@example.test', role: 999_999 }],
    [{ email: 'x@example.test', role: { connect: [{ id: 1 }] } }],
    [{ email: ['x@example.test'], role: 1 }],
    [{ email: 'x@example.test', role: 1, username: { $ne: 1 } }],
  ])('%j is no invitation', async (body) => expect((await invite(body)).status).toBe(400));

  test('nobody else invites', async () => {
    const { body } = await people.logIn('ada@example.test', 'chosen-by-ada');
    const sent = { email: 'x@example.test', role: roles.get('reader') };
    for (const as of [undefined, body.jwt])
      expect((await people.send('post', '/api/users/invite', sent, as)).status).toBe(403);
  });
});

describe('with a mail server', () => {
  let mails: MailServer;
  let service: TestService;
  beforeAll(async () => {
    mails = await startMailServer();
    service = await createTestService({
      contentTypes: corpus,
      mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
      environment: { SMTP_URL: mails.url },
      plugins: { 'users-permissions': { config: { resetPasswordUrl: 'https://shop.test/new?from=mail' } } },
    });
    await declare(service, { public: ['plugin::users-permissions.auth.resetPassword'] });
  });
  afterAll(async () => {
    await service.close();
    await mails.close();
  });
  const invite = () =>
    request(service.url)
      .post('/api/users/invite')
      .auth(service.token, { type: 'bearer' })
      .send({ email: 'fay@example.test', role: 1, username: 'fay' });

  test('the link is mailed, and whoever invites does not see it', async () => {
    const { status, body } = await invite();
    expect([status, Object.keys(body), body.sent, body.user.username]).toEqual([201, ['user', 'sent'], true, 'fay']);
    const mail = await mails.next();
    const [, code = ''] = /https:\/\/shop\.test\/new\?from=mail&code=([\w-]+)/.exec(mail) ?? [];
    const password = { password: 'chosen-by-fay', passwordConfirmation: 'chosen-by-fay' };
    const set = await request(service.url)
      .post('/api/auth/reset-password')
      .send({ code, ...password });
    expect(set.status).toBe(200);
  });

  test('an address gets few mails', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await invite()).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
