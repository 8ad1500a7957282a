import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare, type Permission } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'works-at-the-paper';
const uid = 'api::article.article';

inBrowser('a writer and a chief', () => {
  const client = useService({
    contentTypes: 'packages/versions/tests/content-types',
    plugins: {
      admin: true,
      versions: true,
      i18n: { config: { locales: ['en', 'de'] } },
      'users-permissions': { config: { rateLimit: false } },
    },
  });
  const reading: readonly Permission[] = [
    ...['find', 'findOne', 'find.drafts'].map((action) => `${uid}.${action}`),
    ...['author', 'card'].map((name) => `api::${name}.${name}.find`),
  ];
  const roles = ['role.find', 'role.findOne', 'role.createRole', 'role.updateRole', 'permissions.getPermissions'];
  let writer: EditorPage;
  let chief: EditorPage;
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [...reading, `${uid}.create.drafts`, `${uid}.update.drafts`],
      chief: [
        ...reading,
        ...['create', 'update', 'delete'].map((action) => `${uid}.${action}`),
        ...roles.map((action) => `plugin::users-permissions.${action}`),
      ],
    });
    for (const name of ['ann', 'ben']) await createUser(client, name, password);
    const { entries } = client.service;
    const [role] = await entries.findMany('plugin::users-permissions.role', { filters: { type: 'chief' } });
    const [ben] = await entries.findMany('plugin::users-permissions.user', { filters: { username: 'ben' } });
    await entries.update('plugin::users-permissions.user', ben?.id ?? 0, { role: role?.id });
    [writer, chief] = [await openEditor(client), await openEditor(client)];
    await writer.logIn('ann', password);
    await chief.logIn('ben', password);
    await writer.heading('Welcome, ann');
    await chief.heading('Welcome, ben');
  });
  afterAll(async () => {
    await writer.close();
    await chief.close();
  });

  /** For whoever looks at the day. */
  const look = async (page: EditorPage, name: string): Promise<void> => {
    const folder = process.env['PICTURES'];
    if (folder === undefined) return;
    for (const [width, scheme] of [
      [390, 'light'],
      [1400, 'dark'],
      [1400, 'light'],
    ] as const) {
      await page.look(width, scheme);
      writeFileSync(`${folder}/${name}-${width}-${scheme}.png`, await page.screenshot());
    }
  };
  const says = (page: EditorPage, text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('.review')?.textContent.includes(${JSON.stringify(text)})`);
  const section = (title: string): string =>
    `[...document.querySelectorAll('.recent')].find((one) => one.querySelector('h2').textContent === '${title}')`;
  const titles = (page: EditorPage, title: string): Promise<unknown> =>
    page.evaluate(`[...(${section(title)}?.querySelectorAll('a') ?? [])].map(({ textContent }) => textContent)`);
  const home = async (page: EditorPage, name: string): Promise<void> => {
    await page.goTo('/admin');
    await page.heading(`Welcome, ${name}`);
    // As somebody who comes back to the page sees it.
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  };
  let id: number;

  test('the writer writes a draft, and asks to publish it with a note', async () => {
    await writer.goTo('/admin/content/articles/new');
    await writer.type('title', 'Rye bread');
    await writer.click('button', 'Ask to publish');
    await writer.fill('.dialog [name=note]', 'For Friday');
    expect(await writer.findBarriersInLooks()).toEqual([]);
    await look(writer, '1-ask');
    await writer.click('.dialog button', 'Ask to publish');
    await says(writer, 'ann asks to publish this');
    expect(await writer.findBarriersInLooks()).toEqual([]);
    await look(writer, '2-asked');
    const [article] = (await client.get('/api/articles?publicationState=preview')).body.data;
    id = article.id;
    expect(article.attributes).toMatchObject({ title: 'Rye bread', publishedAt: null });
  });

  test('the chief finds it on the desk, and sends it back with a sentence', async () => {
    await home(chief, 'ben');
    await chief.waitFor(`${section('Waiting for me')}?.textContent.includes('ann asks')`);
    expect(await titles(chief, 'Waiting for me')).toEqual(['Rye bread']);
    expect(await chief.findBarriersInLooks()).toEqual([]);
    await look(chief, '3-waiting');
    await chief.click('.recent a', 'Rye bread');
    await says(chief, 'For Friday');
    await chief.click('.review button', 'Send back');
    await chief.click('.dialog button', 'Send back');
    // A sentence is needed.
    await chief.waitFor(`document.querySelector('.dialog .issue') !== null`);
    await chief.fill('.dialog [name=note]', 'Which flour?');
    await chief.click('.dialog button', 'Send back');
    await chief.notice('Sent back.');
    await says(chief, 'ben has sent this back');
    await look(chief, '4-sent-back');
  });

  test('the writer finds it on the desk, corrects it and asks again', async () => {
    await home(writer, 'ann');
    await writer.waitFor(`${section('Sent back to me')}?.textContent.includes('Which flour?')`);
    expect(await writer.findBarriersInLooks()).toEqual([]);
    await look(writer, '5-back');
    await writer.click('.recent a', 'Rye bread');
    await says(writer, 'Which flour?');
    await writer.type('title', 'Bread of whole rye');
    await writer.click('button', 'Ask to publish');
    await writer.click('.dialog button', 'Ask to publish');
    await says(writer, 'ann asks to publish this');
    await writer.heading('Bread of whole rye');
  });

  test('what changes after the chief has looked is not published', async () => {
    await home(chief, 'ben');
    await chief.waitFor(`${section('Waiting for me')}?.textContent.includes('Bread of whole rye')`);
    await chief.click('.recent a', 'Bread of whole rye');
    await says(chief, 'ann asks');
    await chief.waitFor(`document.querySelector('.review .primary:enabled') !== null`);
    await writer.type('title', 'Bread of spelt');
    await writer.click('button', 'Save draft');
    await writer.notice('Saved.');
    await chief.click('.review button', 'Publish what was asked for');
    await chief.notice('nothing was published');
    expect((await client.get(`/api/articles/${id}`)).body.data.attributes.publishedAt).toBeNull();
    await says(chief, 'It has changed since');
    // What has changed is in the form.
    await chief.heading('Bread of spelt');
    expect(await chief.findBarriersInLooks()).toEqual([]);
    await look(chief, '6-changed');
    await writer.click('button', 'Ask to publish');
    await writer.click('.dialog button', 'Ask to publish');
    await writer.waitFor(`!document.querySelector('.review').textContent.includes('changed since')`);
  });

  test('the chief publishes what was asked for, and takes it back from the desk', async () => {
    await home(chief, 'ben');
    await chief.waitFor(`${section('Waiting for me')}?.textContent.includes('Bread of spelt')`);
    await chief.click('.recent a', 'Bread of spelt');
    await chief.click('.review button', 'Publish what was asked for');
    await chief.notice('Published.');
    expect((await client.get('/api/articles')).body.data).toMatchObject([{ attributes: { title: 'Bread of spelt' } }]);
    await home(chief, 'ben');
    await chief.waitFor(`${section('Published lately')}?.textContent.includes('by ben')`);
    expect(await titles(chief, 'Waiting for me')).toEqual([]);
    await look(chief, '7-published');
    await chief.click('.recent button', 'Undo');
    await chief.notice('Not published any more.');
    expect((await client.get('/api/articles')).body.data).toEqual([]);
    await client.put(`/api/articles/${id}?status=published`, {});
  });

  test('changes of what is published are asked for, and shown as modified', async () => {
    await writer.goTo('/admin');
    await writer.heading('Welcome, ann');
    await writer.goTo(`/admin/content/articles/${id}`);
    await writer.heading('Bread of spelt');
    await writer.type('title', 'Bread of emmer');
    await writer.click('button', 'Ask to publish');
    await writer.click('.dialog button', 'Ask to publish');
    await says(writer, 'ann asks to publish this');
    expect((await client.get(`/api/articles/${id}`)).body.data.attributes.title).toBe('Bread of spelt');
    await home(chief, 'ben');
    await chief.waitFor(`Boolean(${section('Waiting for me')}?.querySelector('.tag.modified'))`);
    await chief.click('.recent a', 'Bread of emmer');
    await chief.click('.review button', 'Publish what was asked for');
    await chief.notice('Published.');
    expect((await client.get(`/api/articles/${id}`)).body.data.attributes.title).toBe('Bread of emmer');
  });

  test('prepared changes that are scheduled are on the desk', async () => {
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Bread of einkorn' });
    const body = JSON.stringify({ publishAt: '2090-04-01T08:00:00Z' });
    const headers = { authorization: `Bearer ${client.service.token}`, 'content-type': 'application/json' };
    await fetch(`${client.service.url}/api/articles/${id}/schedule`, { method: 'POST', headers, body });
    await chief.evaluate(`location.assign('/admin')`);
    await chief.heading('Welcome, ben');
    await chief.waitFor(`${section('Scheduled')}?.textContent.includes('Bread of einkorn')`);
    expect(await chief.evaluate(`${section('Scheduled')}.querySelector('.tag.modified') !== null`)).toBe(true);
  });

  test('who may publish is a box among the permissions of a role', async () => {
    const role = async (): Promise<unknown> => {
      const found = await client.service.entries.findMany('plugin::users-permissions.permission', {
        filters: { role: { type: 'authenticated' }, action: { $contains: `${uid}.` } },
        fields: ['action'],
        pagination: { limit: -1 },
      });
      return found.map(({ action }) => String(action).slice(uid.length + 1)).toSorted();
    };
    const others = ['find', 'find.drafts', 'findOne'];
    expect(await role()).toEqual(['create.drafts', ...others, 'update.drafts']);
    await chief.goTo('/admin/roles/1');
    await chief.heading('Authenticated');
    const row = `[...document.querySelectorAll('tbody tr')].find((one) => one.querySelector('th').textContent === 'Articles')`;
    const box = (label: string): string =>
      `[...${row}.querySelectorAll('label')].find(({ textContent }) => textContent.includes('${label}')).querySelector('input')`;
    await chief.waitFor(`${row} !== undefined`);
    expect(await chief.evaluate(`${box('Can publish')}.checked`)).toBe(false);
    expect(await chief.evaluate(`${row}.querySelector('[aria-label="Can change: Articles"]').checked`)).toBe(true);
    await chief.evaluate(`${box('Can publish')}.click()`);
    await look(chief, '8-role');
    await chief.click('button', 'Save');
    await chief.notice('Saved.');
    expect(await role()).toEqual(['create', ...others, 'update']);
    // The form begins again with what is stored.
    const isStored = `document.querySelector('.title [role=status]')?.textContent === ''`;
    await chief.waitFor(`${isStored} && ${box('Can publish')}.checked`);
    await chief.evaluate(`${box('Can publish')}.click()`);
    await chief.click('button', 'Save');
    await chief.waitFor(`${isStored} && !${box('Can publish')}.checked`);
    expect(await role()).toEqual(['create.drafts', ...others, 'update.drafts']);
  });
});
