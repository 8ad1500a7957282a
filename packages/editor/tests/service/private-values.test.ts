import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'reads-the-notes-too';
const uid = 'api::note.note';

describe('private values', () => {
  const client = useService({
    contentTypes: 'packages/editor/tests/service/deleted-types',
    plugins: { admin: true, 'users-permissions': { config: { rateLimit: false } } },
  });
  const tokens = new Map<string, string>();
  const drafts = `${uid}.find.drafts`;
  beforeAll(async () => {
    const reading = [`${uid}.find`, `${uid}.findOne`];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [...reading, drafts, `${uid}.create`, `${uid}.update`],
      reader: [...reading, drafts],
      corrector: [...reading, `${uid}.update`],
      limited: [...reading, drafts, { action: `${uid}.update`, fields: ['-remark'] }],
      owner: [...reading, drafts, { action: `${uid}.update`, where: { title: 'Mine' } }],
    });
    const { entries } = client.service;
    for (const name of ['authenticated', 'reader', 'corrector', 'limited', 'owner']) {
      await createUser(client, name, password);
      const [role] = await entries.findMany('plugin::users-permissions.role', { filters: { type: name } });
      const [user] = await entries.findMany('plugin::users-permissions.user', { filters: { username: name } });
      await entries.update('plugin::users-permissions.user', user?.id ?? 0, { role: role?.id });
      const answer = await request(client.service.url).post('/api/auth/local').send({ identifier: name, password });
      tokens.set(name, answer.body.jwt);
    }
  });

  const read = async (id: number, name: string, query = ''): Promise<unknown> => {
    const reading = request(client.service.url).get(`/api/admin/private/${uid}/${id}${query}`);
    const token = tokens.get(name);
    const { status, body } = await (token === undefined ? reading : reading.auth(token, { type: 'bearer' }));
    return status === 200 ? body.data : status;
  };

  test('are read by those who may change the entry in this state, as far as no rule withholds them', async () => {
    const id = await client.create('notes', { title: 'Ours', remark: 'Ask Ben' });
    await client.put(`/api/notes/${id}?status=draft`, { remark: 'Ben has agreed' });
    expect(await read(id, 'authenticated')).toEqual({ remark: 'Ask Ben' });
    expect(await read(id, 'authenticated', '?status=draft')).toEqual({ remark: 'Ben has agreed' });
    // Entries have no working copy for them.
    expect(await read(id, 'corrector', '?status=draft')).toEqual({ remark: 'Ask Ben' });
    expect(await read(id, 'limited')).toEqual({});
    expect(await read(id, 'reader')).toEqual({});
    expect(await read(id, 'owner')).toBe(404);
    expect(await read(id, 'nobody')).toBe(401);
    expect(await read(999, 'authenticated')).toBe(404);
  });

  inBrowser('in the form', () => {
    let page: EditorPage;
    beforeAll(async () => {
      page = await openEditor(client);
      await page.logIn('authenticated', password);
      await page.heading('Welcome, authenticated');
    });
    afterAll(async () => page.close());

    test('are shown, changed and emptied', async () => {
      const id = await client.create('notes', { title: 'Read', remark: 'Ask Ann' });
      const shows = (text: string): Promise<unknown> =>
        page.waitFor(`document.querySelector('${field('remark')}')?.value === '${text}'`);
      await page.goTo(`/admin/content/notes/${id}`);
      await shows('Ask Ann');
      expect(await page.evaluate(`document.body.innerText.includes('Private: only those see it')`)).toBe(true);
      await page.type('remark', 'She has agreed');
      await page.press('s');
      await page.notice('Saved');
      expect(await read(id, 'authenticated', '?status=draft')).toEqual({ remark: 'She has agreed' });
      await page.type('remark', '');
      await page.waitFor(`document.querySelector('.title .quiet-text').textContent === 'Unsaved changes'`);
      await page.press('s');
      await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
      expect(await read(id, 'authenticated', '?status=draft')).toEqual({ remark: null });
      expect(await page.findBarriersInLooks()).toEqual([]);
      expect(page.mistakes).toEqual([]);
    });
  });
});
