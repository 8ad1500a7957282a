// node scripts/benchmarks/editor-tasks.mjs [rounds] [checkout] [module]: ten tasks of an editor in a browser, in inputs (clicks, keys with a
// meaning of their own, texts) and seconds; beside another build, whose steps the module exports, null for what it cannot do
import fs from 'node:fs';
import path from 'node:path';
import { createJiti } from 'jiti';
import sharp from 'sharp';
import { startService } from './children.mjs';
import { openFolders } from './folders.mjs';
import { medianOf } from './measure.mjs';
import { decimals, formatTable } from './table.mjs';

const jiti = createJiti(import.meta.url, { nativeModules: ['axe-core'] });
const { createUser } = await jiti.import('../../tests/support/create-user.ts');
const { field, openEditor } = await jiti.import('../../packages/editor/tests/service/editor-page.ts');
const [rounds = '3', checkout, module] = process.argv.slice(2);
const password = 'ann-writes-articles';
const ENTRIES = 200;
/** Milliseconds in which Slate takes over a selection. People type more slowly than a program. */
const settle = 150;

/** Each with its steps until the result is shown, and the address where it begins: the form of an article with a cover, if absent. */
const tasks = [
  {
    name: 'Find an article by a word, and open it',
    at: '',
    steps: async (page) => {
      await page.click('#navigation a', 'Article');
      await page.fill('input[type=search]', 'Note 100');
      await page.click('tbody a', 'Note 100');
      await page.heading('Note 100');
    },
  },
  {
    name: 'Publish a heading, a bold word and a link',
    at: '/content/articles/new',
    steps: async (page, { title }) => {
      const pause = () => page.evaluate(`new Promise((done) => setTimeout(done, ${settle}))`);
      await page.fill(field('title'), title);
      await page.type('body', 'Bread');
      await page.choose('.tools .choice', 'heading2');
      await pause();
      await page.press('Enter');
      await page.insert('It is ');
      await page.press('b');
      await page.insert('old');
      await page.press('b');
      await page.insert(', see ');
      await pause();
      await page.press('k');
      await page.fill('.dialog [name=url]', 'https://example.org');
      await page.click('.dialog button', 'Save');
      await page.click('button', 'Publish');
      await page.heading(title);
    },
  },
  {
    name: 'Publish an article with a cover and an author',
    at: '/content/articles/new',
    steps: async (page, { title }) => {
      await page.fill(field('title'), title);
      await page.dropFile(`${field('cover')} .drop`, 'loaf.png');
      await page.relate('author', 'Ada');
      await page.waitFor(`document.querySelector('${field('cover')} .files')?.textContent.includes('loaf.png')`);
      await page.click('button', 'Publish');
      await page.heading(title);
    },
  },
  {
    name: 'Credit it to an author who is new',
    steps: async (page, { title }) => {
      await page.fill(`${field('author')} [role=combobox]`, `Writer of ${title}`);
      await page.click('[role=option]', 'New Author');
      await page.waitFor(`document.activeElement.matches('.dialog [id="field1-name"]')`);
      await page.press('s');
      await page.waitFor(`document.querySelector('${field('author')} .links a') !== null`);
      await page.press('s');
      await page.notice('Saved');
    },
  },
  {
    name: 'Describe its cover',
    steps: async (page, { file }) => {
      await page.click(`${field('cover')} li button`, file);
      await page.fill('.dialog [name=alternativeText]', 'A field of rye');
      await page.press('s');
      await page.waitFor(`document.querySelector('.dialog [role=status]')?.textContent === 'Saved.'`);
    },
  },
  {
    name: 'Crop its cover',
    steps: async (page, { file }) => {
      await page.click(`${field('cover')} li button`, file);
      await page.click('.dialog button', 'Crop…');
      await page.waitFor(`document.querySelector('.dialog [name=width]')?.value === '40'`);
      await page.fill('.dialog [name=width]', '20');
      await page.click('.dialog button', 'Save as a new file');
      await page.waitFor(`document.querySelector('${field('cover')} .files').textContent.includes('-20x30')`);
      await page.press('s');
      await page.notice('Saved');
    },
  },
  {
    name: 'Duplicate it',
    steps: async (page, { title }) => {
      await page.click('a', 'Duplicate');
      await page.heading('New: Article');
      await page.click('button', 'Save draft');
      await page.heading(title);
    },
  },
  {
    name: 'Translate its title',
    steps: async (page, { title }) => {
      await page.click('a', 'Translate into French');
      await page.waitFor(`location.search.includes('locale=fr') && document.querySelector('${field('title')}')?.value`);
      await page.fill(field('title'), `${title} en français`);
      await page.click('button', 'Save draft');
      await page.heading(`${title} en français`);
    },
  },
  {
    name: 'Schedule its end',
    steps: async (page) => {
      await page.click('button', 'Schedule…');
      await page.fill('[name=unpublishAt]', '2090-01-31T09:00');
      await page.click('.dialog button', 'Schedule');
      await page.notice('Scheduled.');
    },
  },
  {
    name: 'Save it although somebody else changed it',
    steps: async (page, { changeElsewhere }) => {
      await changeElsewhere();
      await page.fill(field('title'), 'Mine');
      await page.press('s');
      await page.click('.dialog button', 'Use these values');
      await page.press('s');
      await page.heading('Mine');
    },
  },
];

const actions = (uid) =>
  ['find', 'findOne', 'create', 'update', 'createLocalization'].map((action) => `${uid}.${action}`);
const access = {
  roles: {
    public: { permissions: ['plugin::users-permissions.auth.callback'] },
    authenticated: {
      permissions: [
        ...actions('api::article.article'),
        ...actions('api::author.author').slice(0, -1),
        ...['find', 'upload'].map((action) => `plugin::upload.content-api.${action}`),
      ],
    },
  },
  tokens: { benchmark: { type: 'full-access', key: { env: 'BENCHMARK_TOKEN' } } },
};
const plugins = {
  admin: true,
  i18n: { config: { locales: ['en', 'fr'] } },
  'users-permissions': { config: { rateLimit: false } },
};
const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fc0' } })
  .png()
  .toBuffer();

/** Starts the editor of a build, for the content types of the tests. */
async function startEditor(folder, build) {
  const contentTypes = path.join(folder, 'content-types');
  const corpus = path.join(import.meta.dirname, '../../tests/fixtures/corpus/content-types');
  fs.cpSync(corpus, contentTypes, { recursive: true });
  fs.writeFileSync(path.join(contentTypes, 'access.json'), JSON.stringify(access));
  fs.mkdirSync(path.join(folder, 'config'));
  fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify(plugins));
  const settings = { CONTENT_TYPES: contentTypes, DATABASE: 'embedded', MONGODB_URI: '', ETAG: 'true' };
  const { url, headers, stop } = await startService(settings, folder, build);
  const send = async (method, address, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/${address}`, {
      method,
      headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify({ data: body }),
    });
    if (!response.ok) throw new Error(`${method} ${address}: ${await response.text()}`);
    return response.json();
  };
  await createUser({ service: { url, token: headers.authorization.slice('Bearer '.length) } }, 'ann', password);
  await send('POST', 'authors', { name: 'Ada' });
  for (let number = 0; number < ENTRIES; number += 1) await send('POST', 'articles', { title: `Note ${number}` });
  return { url, send, stop };
}

/** What a person does, and how often they act for it. */
const acts = { click: 1, fill: 1, choose: 2, type: 1, insert: 1, press: 1, dropFile: 1, relate: 2 };

/** Does a task with an article of its own, in a browser of its own. */
async function perform({ url, send }, { at }, steps, number) {
  const [title, file] = [`Rye ${number}`, `cover-${number}.png`];
  const form = new FormData();
  form.append('files', new Blob([image], { type: 'image/png' }), file);
  const [cover] = await send('POST', 'upload', form);
  const { data } = await send('POST', 'articles', { title, cover: cover.id });
  const page = await openEditor({ service: { url } }, `/admin${at ?? `/content/articles/${data.id}`}`);
  await page.logIn('ann', password);
  await page.waitFor(`document.querySelector('${at === '' ? '#navigation a' : field('title')}') !== null`);
  let [inputs, since] = [0];
  const person = Object.entries(acts).map(([name, amount]) => [
    name,
    (...parameters) => {
      inputs += amount;
      since ??= performance.now();
      return (page[name] ?? page.fill)(...parameters);
    },
  ]);
  const changeElsewhere = () => send('PUT', `articles/${data.id}`, { title: 'Theirs' });
  await steps({ ...page, ...Object.fromEntries(person) }, { title, file, changeElsewhere });
  const seconds = (performance.now() - since) / 1000;
  await page.close();
  return { inputs, seconds };
}

const makeFolder = openFolders('editor-tasks-');
const builds = [{ name: 'now', editor: await startEditor(makeFolder('now')), own: {} }];
if (module !== undefined) {
  const { default: own } = await import(path.resolve(module));
  builds.unshift({ name: 'before', editor: await startEditor(makeFolder('before'), checkout), own });
}
let number = 1000;
const rows = [];
for (const task of tasks) {
  const results = Object.fromEntries(builds.map(({ name }) => [name, []]));
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const { name, editor, own } of round % 2 === 0 ? builds : builds.toReversed()) {
      const { [task.name]: steps = task.steps } = own;
      if (steps !== null) results[name].push(await perform(editor, task, steps, number));
      number += 1;
    }
  }
  rows.push({ task: task.name, ...results });
}
for (const { editor } of builds) await editor.stop();
const columns = (key, digits) =>
  builds.map(({ name }) => ({
    title: `${key} ${name}`,
    right: true,
    value: (row) => (row[name].length === 0 ? '–' : decimals(digits)(medianOf(row[name], key))),
  }));
const names = { title: 'Task', value: ({ task }) => task };
console.log(formatTable([names, ...columns('inputs', 0), ...columns('seconds', 1)], rows));
