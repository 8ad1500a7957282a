import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'eve-manages-users';

inBrowser('a user who manages users and roles', () => {
  const client = useService({
    plugins: {
      admin: true,
      'api-tokens': { config: { routes: true } },
      'users-permissions': { config: { rateLimit: false } },
    },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const users = ['find', 'findOne', 'create', 'update', 'destroy'].map((action) => `user.${action}`);
    const roles = ['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'].map((action) => `role.${action}`);
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        'api::article.article.find',
        ...['find', 'create', 'delete'].map((action) => `plugin::api-tokens.token.${action}`),
        ...[...users, ...roles, 'permissions.getPermissions'].map((action) => `plugin::users-permissions.${action}`),
      ],
    });
    await createUser(client, 'eve', password);
    page = await openEditor(client);
  });
  afterAll(async () => page.close());

  const logIn = (identifier: string, secret: string): request.Test =>
    request(client.service.url).post('/api/auth/local').send({ identifier, password: secret });
  const users = async (): Promise<any> => (await client.get('/api/users?populate=role&sort=id')).body;
  const roleId = async (name: string): Promise<number> => {
    const { body } = await client.get('/api/users-permissions/roles');
    return body.roles.find((role: { name: string }) => role.name === name)?.id;
  };
  const permissionsOf = async (id: number): Promise<any> =>
    (await client.get(`/api/users-permissions/roles/${id}`)).body.role.permissions;
  const links = `[...document.querySelectorAll('#navigation a')].map(({ textContent }) => textContent)`;

  test('creates a role that may list articles', async () => {
    await page.logIn('eve', password);
    await page.heading('Welcome, eve');
    expect(await page.evaluate(links)).toEqual(['Articles', 'Users', 'Roles', 'API tokens']);
    await page.click('#navigation a', 'Roles');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('Authenticated')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('a', 'New role');
    await page.fill('[name=name]', 'Reporter');
    await page.fill('[name=description]', 'Reads what is published');
    await page.click('[aria-label="Can list: Articles"]');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('button', 'Create');
    await page.notice('The role was created.');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('Reporter')`);
    const article = (await permissionsOf(await roleId('Reporter')))['api::article'].controllers.article;
    expect([article.find.enabled, article.findOne.enabled]).toEqual([true, false]);
  });

  test('changes its permissions, and keeps what others changed in the meantime', async () => {
    const id = await roleId('Reporter');
    await page.click('tbody a', 'Reporter');
    await page.click('[aria-label="Can read: Articles"]');
    await page.evaluate(`[...document.querySelectorAll('fieldset')]
      .find((group) => group.querySelector('legend').textContent === 'Languages of entries')
      .querySelectorAll('label').forEach((label) => { if (label.textContent === 'Can change') label.click(); })`);
    const permissions = await permissionsOf(id);
    permissions['api::article'].controllers.article.find.enabled = false;
    permissions['api::tag'].controllers.tag.find.enabled = true;
    const { url, token } = client.service;
    await request(url).put(`/api/users-permissions/roles/${id}`).auth(token, { type: 'bearer' }).send({ permissions });
    await page.click('button', 'Save');
    await page.notice('Saved.');
    const stored = await permissionsOf(id);
    const { find, findOne } = stored['api::article'].controllers.article;
    expect(stored['plugin::i18n'].controllers.locales.updateLocales.enabled).toBe(true);
    expect([find.enabled, findOne.enabled, stored['api::tag'].controllers.tag.find.enabled]).toEqual([
      false,
      true,
      true,
    ]);
    await page.waitFor(`document.querySelector('[aria-label="Can list: Tag"]')?.checked === true`);
  });

  test('creates a user of this role, blocks and deletes them; passwords are never shown', async () => {
    await page.click('#navigation a', 'Users');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('eve@example.org')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('a', 'New entry');
    await page.type('username', 'rob');
    await page.type('email', 'rob@example.org');
    await page.click('button', 'Save');
    await page.waitFor(`document.activeElement.id === 'field-password'`);
    await page.waitFor(`document.querySelector('${field('role')} .issue')?.textContent === 'Required'`);
    await page.type('password', 'rob-reads-articles');
    await page.click('button', 'Save');
    await page.waitFor(`document.activeElement.id === 'field-role'`);
    await page.choose(`${field('role')} .choice`, String(await roleId('Reporter')));
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('button', 'Save');
    await page.heading('rob');
    expect((await logIn('rob', 'rob-reads-articles')).status).toBe(200);
    expect((await users()).at(-1)).toMatchObject({ username: 'rob', role: { name: 'Reporter' } });
    expect(await page.evaluate(`document.querySelector('${field('password')}').value`)).toBe('');
    expect(await page.evaluate(`document.querySelector('form').textContent`)).not.toMatch(/token|provider/i);
    await page.type('blocked', 'true');
    await page.click('button', 'Save');
    await page.notice('Saved.');
    expect((await logIn('rob', 'rob-reads-articles')).status).toBe(400);
    await page.click('#navigation a', 'Users');
    await page.click('tbody a', 'rob');
    await page.act('Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('The entry was deleted.');
    expect(await users()).toHaveLength(1);
  });

  test('deletes the role', async () => {
    await page.goTo(`/admin/roles/${await roleId('Reporter')}`);
    await page.heading('Reporter');
    await page.click('.actions button', 'Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('The role was deleted.');
    expect(await roleId('Reporter')).toBeUndefined();
  });

  test('creates an API token, sees its key once, and revokes it', async () => {
    await page.click('#navigation a', 'API tokens');
    await page.click('button', 'New token');
    await page.fill('[name=name]', 'website');
    await page.click('.dialog [aria-label="Can list: Articles"]');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Create');
    const key = String(await page.waitFor(`document.querySelector('.dialog input[readonly]')?.value`));
    const get = (path: string): request.Test => request(client.service.url).get(path).auth(key, { type: 'bearer' });
    expect([(await get('/api/articles')).status, (await get('/api/tags')).status]).toEqual([200, 403]);
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog [aria-label=Close]');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('api::article.article.find')`);
    expect(await page.evaluate(`document.documentElement.outerHTML`)).not.toContain(key);
    await page.click('[aria-label="Revoke website"]');
    await page.click('.dialog button.danger', 'Revoke');
    await page.notice('The token was revoked.');
    expect((await get('/api/articles')).status).toBe(401);
  });

  test('finds a user among many by a part of the name or the address, and sees how many there are', async () => {
    for (let number = 1; number <= 30; number += 1) await createUser(client, `writer-${number}`, password);
    const total = (await users()).length;
    const says = (text: string): Promise<unknown> =>
      page.waitFor(`document.querySelector('.title [role=status]').textContent === ${JSON.stringify(text)}`);
    await page.goTo('/admin/content/users');
    await says(`${total} entries`);
    await page.waitFor(`document.querySelector('.pages').textContent.includes('Page 1 of 2')`);
    await page.fill('input[type=search]', 'WRITER-17@');
    await says('1 entry');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    expect(await page.evaluate(`document.querySelector('tbody').textContent`)).toContain('writer-17');
  });

  test('invites somebody, who sets a password with the link', async () => {
    await page.goTo('/admin/content/users');
    await page.click('.title button', 'Invite');
    await page.fill('.dialog [name=email]', 'fay@example.org');
    await page.choose('.dialog .choice', String(await roleId('Authenticated')));
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Invite');
    const link = String(await page.waitFor(`document.querySelector('.dialog input[readonly]')?.value`));
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Close');
    const invited = await openEditor(client, new URL(link).pathname + new URL(link).hash);
    try {
      await invited.heading('Welcome');
      await invited.fill('[name=password]', 'fay-has-chosen-it');
      await invited.fill('[name=passwordConfirmation]', 'fay-has-chosen-it');
      await invited.click('button', 'Save and log in');
      await invited.heading('Welcome, fay@example.org');
      expect(await invited.evaluate('location.hash')).toBe('');
    } finally {
      await invited.close();
    }
    expect((await logIn('fay@example.org', 'fay-has-chosen-it')).status).toBe(200);
  });

  test('no page of them is there for a role without these permissions', async () => {
    await declare(client.service, { authenticated: ['api::article.article.find'] });
    await page.evaluate('location.reload()');
    await page.waitFor(
      `[...document.querySelectorAll('#navigation :is(h2, a)')].map((e) => e.textContent).join() === 'Collections,Articles'`,
    );
    for (const address of ['roles', 'roles/1', 'tokens', 'content/users', 'content/users/1']) {
      await page.goTo(`/admin/${address}`);
      expect(await page.heading('Not found')).toBe(true);
    }
  });
});
