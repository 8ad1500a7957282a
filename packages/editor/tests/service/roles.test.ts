import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ContentType } from '../../src/browser/model/schema.js';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const client = useService({ plugins: { admin: true }, environment: { DRAFTS: 'restricted' } });
const auth = ['callback', 'forgotPassword'].map((name) => `plugin::users-permissions.auth.${name}`);
const write = ['find', 'findOne', 'create', 'update'].map((action) => `api::article.article.${action}`);
const allow = async (...editor: readonly string[]): Promise<void> =>
  declare(client.service, { public: auth, editor: [...write, 'api::author.author.find', ...editor] });
let code: string;
beforeAll(async () => {
  await allow();
  const [notice = ''] = await client.service.notices();
  code = notice.replace(/^.*#/, '');
});

const password = 'ann-writes-articles';

test('the description of the content says which drafts are hidden', async () => {
  const { body } = await client.get('/api/admin/content');
  const types: readonly ContentType[] = body.data.contentTypes;
  expect(types.filter(({ hidesDrafts }) => hidesDrafts === true)).toEqual([]);
});

test('passwords are not sent where no mail can be', async () => {
  const answer = await fetch(`${client.service.url}/api/admin/account`);
  expect(await answer.json()).toEqual({ data: { passwords: true, sendsPasswords: false, providers: [] } });
});

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('the first editor, whose role may not do everything', () => {
  let page: EditorPage;
  beforeAll(async () => {
    page = await openEditor(client, `/admin/account/first#${code}`);
  });
  afterAll(async () => page.close());
  const texts = (selector: string): string =>
    `[...document.querySelectorAll('${selector}')].map(({ textContent }) => textContent)`;

  test('creates the account with the link, and is logged in', async () => {
    await page.heading('Create the first account');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('[name=username]', 'ann');
    await page.fill('[name=email]', 'ann@example.org');
    await page.fill('[name=password]', 'short');
    await page.click('button', 'Create the account');
    await page.waitFor(`document.querySelector('[role=alert]')?.textContent.includes('At least 6 characters')`);
    await page.fill('[name=password]', password);
    await page.click('button', 'Create the account');
    await page.heading('Welcome, ann');
    expect(await page.evaluate('location.href')).toBe(`${client.service.url}/admin`);
    expect(page.requested.filter((url) => url.includes(code) && !url.includes('#'))).toEqual([]);
  });

  test('is told that a saved draft cannot be seen, and has no filter for drafts', async () => {
    await page.click('#navigation a', 'Articles');
    await page.click('a', 'New entry');
    await page.waitFor(`document.querySelector('${field('title')}') !== null`);
    await page.type('title', 'Rye bread');
    await page.click('button', 'Save draft');
    await page.notice('You saved a draft, but your role may not see drafts');
    await page.waitFor(`document.querySelector('.empty')?.textContent.includes('No entries yet')`);
    expect(await page.evaluate(texts('.toolbar label'))).not.toContainEqual(expect.stringContaining('Status'));
    expect((await client.get('/api/articles?publicationState=preview')).body.data).toHaveLength(1);
  });

  test('sees the draft with the permission for it', async () => {
    await allow('api::article.article.find.drafts');
    await page.evaluate('location.reload()');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('Rye bread')`);
    await page.click('.toolbar .choice > button');
    await page.waitFor(`document.querySelector('[role=option]') !== null`);
    expect(await page.evaluate(texts('[role=option]'))).toEqual(['All', 'Published', 'Drafts']);
    await page.press('Escape');
  });

  test('is told that the role may create nothing, and finds the way back', async () => {
    await declare(client.service, { editor: ['find', 'findOne'].map((action) => `api::article.article.${action}`) });
    await page.evaluate(`location.assign('/admin/content/articles/new')`);
    await page.heading('New: Article');
    expect(await page.evaluate(texts('main .empty p, main form'))).toEqual([
      'Your role may not create this. Those who run this service can grant it.',
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('main a', 'Articles');
    await page.heading('Articles');
  });

  test('reads and selects texts that may not be changed, without a toolbar or a menu', async () => {
    const body = '# Dough\n\nMix [flour](https://example.org)\n\n| Grain | Water |\n| - | - |\n| Rye | Much |';
    const blocks = [{ __component: 'blocks.text', content: 'Salt' }];
    const id = await client.create('articles', { title: 'Bread', body, meta: { oven: 230 }, blocks });
    await page.goTo(`/admin/content/articles/${id}`);
    await page.heading('Bread');
    const text = `document.querySelector('${field('body')}')`;
    await page.waitFor(`${text}?.textContent.includes('Mix')`);
    const state = `[${text}.isContentEditable, ${text}.ariaReadOnly, ${text}.tabIndex, ${text}.textContent]`;
    const before = await page.evaluate(state);
    expect(before).toEqual([false, 'true', 0, expect.stringMatching(/Dough.*flour.*Grain.*Much/s)]);
    await page.evaluate(`${text}.focus()`);
    await page.insert('/');
    expect(await page.evaluate(state)).toEqual(before);
    expect(await page.evaluate(`document.querySelector('.tools, .slash, ${field('body')} input')`)).toBeNull();
    const part = `document.querySelector('${field('blocks.0.content')}')`;
    await page.waitFor(`${part}?.textContent.includes('Salt')`);
    expect(await page.evaluate(`${part}.isContentEditable`)).toBe(false);
    await page.evaluate(`getSelection().selectAllChildren(${text})`);
    expect(await page.evaluate(`getSelection().toString()`)).toContain('Mix flour');
    const colour = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    expect([await colour('.writing'), await colour('.json')]).toEqual([await colour('body'), await colour('body')]);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('is told that a form may only be read', async () => {
    const id = await client.create('authors', { name: 'Ada' });
    await declare(client.service, { editor: ['find', 'findOne'].map((action) => `api::author.author.${action}`) });
    await page.evaluate(`location.assign('/admin/content/authors/${id}')`);
    await page.heading('Ada');
    expect(await page.evaluate(texts('header.title span'))).toEqual(['You may only read this.']);
    expect(await page.evaluate(texts('.bar button:not(.more-actions)'))).toEqual([]);
    const colour = `getComputedStyle(document.querySelector('${field('name')}')).backgroundColor`;
    expect(await page.evaluate(colour)).toBe(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('finds no way to a mail for a forgotten password', async () => {
    await page.click('button', 'Log out');
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    expect(await page.evaluate(texts('main a'))).toEqual([]);
    await page.logIn('ann', password);
    await page.heading('Ada');
  });
});
