// node scripts/benchmarks/editor-tasks.mjs [rounds] [--against checkout --steps module] [--only 1,2]: ten tasks of an
// editor in a browser, in inputs (clicks, keys with a meaning of their own, texts) and seconds; beside another build,
// by steps of its own in the module, or the reason why it has none
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openFolders } from './folders.mjs';
import { field, openAs, startEditor } from './editor-world.mjs';
import { medianOf } from './measure.mjs';
import { decimals, formatTable } from './table.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, steps: { type: 'string' }, only: { type: 'string' } },
});
const [rounds = '3'] = positionals;

/** What Google Docs puts into the clipboard: marks are styles, and the table has paragraphs in its cells. */
const cell = (text) =>
  `<td style="border:1pt solid #000"><p dir="ltr" style="margin:0"><span style="font-weight:400">${text}</span></p></td>`;
const googleDocs = `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:400">Dough</span></h2>
<p dir="ltr"><span style="font-weight:400">Knead </span><span style="font-weight:700">slowly</span></p>
<div dir="ltr"><table><tbody><tr>${cell('Flour')}${cell('500 g')}</tr><tr>${cell('Water')}${cell('350 g')}</tr></tbody></table></div></b>`;

/**
 * Each with what is made for it, the address where it begins, its steps until the result is shown, and what asks the
 * API whether it was done. What is made has the number of the turn in its name.
 */
const tasks = [
  {
    name: 'Find an entry by a word, and open it',
    at: () => '',
    steps: async (page) => {
      await page.press('k');
      await page.waitFor(`document.activeElement.matches('.palette input')`);
      await page.insert('Note 33');
      await page.waitFor(`document.querySelector('.palette [aria-selected=true]')?.textContent.startsWith('Note 33')`);
      await page.press('Enter');
      await page.shown('Note 33');
    },
  },
  {
    name: 'Correct the title of a published entry as a draft, and publish the change',
    prepare: ({ send, number }) => send('POST', 'articles', { data: { title: `Mistaken ${number}` } }),
    at: ({ made }) => `/content/articles/${made.data.id}`,
    steps: async (page, { number }) => {
      await page.fill(field('title'), `Corrected ${number}`);
      await page.press('s');
      await page.notice('Saved');
      await page.click('button', 'Publish changes');
      await page.notice('Published.');
    },
    isDone: async ({ send, made, number }) =>
      (await send('GET', `articles/${made.data.id}`)).data.attributes.title === `Corrected ${number}`,
  },
  {
    name: 'Write and publish an article with a heading, a list, a link and an image of the library',
    at: () => '/content/articles/new',
    steps: async (page, { number }) => {
      await page.fill(field('title'), `Rye ${number}`);
      await page.open(field('body'));
      await page.write('## Bread');
      await page.press('Enter');
      await page.write('- rye');
      await page.press('Enter');
      await page.write('wheat');
      await page.press('Enter');
      await page.press('Enter');
      await page.write('See ');
      await page.press('k');
      await page.fill('.dialog [name=url]', 'https://example.org');
      await page.click('.dialog button', 'Save');
      await page.waitFor(`document.querySelector('.dialog') === null`);
      await page.press('Enter');
      await page.write('/image');
      await page.press('Enter');
      await page.click('.dialog .grid button', 'image-3.png');
      await page.waitFor(`document.querySelector('${field('body')} img') !== null`);
      await page.click('button', 'Publish');
      await page.notice('Published.');
    },
    isDone: async ({ send, number }) => {
      const found = await send('GET', `articles?filters[title]=Rye ${number}`);
      const body = found.data[0]?.attributes.body ?? '';
      return [/^## Bread/m, /^[-*] +wheat/m, /https:\/\/example\.org/, /!\[.*\]\(/].every((part) => part.test(body));
    },
  },
  {
    name: 'Paste a text of Google Docs with a table',
    prepare: ({ send, number }) =>
      send('POST', 'articles', { data: { title: `Pasted ${number}`, publishedAt: null, body: 'Begin' } }),
    at: ({ made }) => `/content/articles/${made.data.id}`,
    steps: async (page) => {
      await page.placeCursor(`${field('body')} p`);
      await page.paste({ 'text/html': googleDocs, 'text/plain': 'Dough' });
      await page.waitFor(`document.querySelector('${field('body')}').textContent.includes('Water')`);
      await page.press('s');
      await page.notice('Saved');
    },
    isDone: async ({ send, made }) =>
      /\*\*slowly\*\*[^]*\| Water \| 350 g \|/.test(
        (await send('GET', `articles/${made.data.id}`)).data.attributes.body,
      ),
  },
  {
    name: 'Publish 10 drafts at once',
    prepare: ({ send, number }) =>
      several(send, 10, (index) => ({ title: `Batch ${number} ${index}`, publishedAt: null })),
    at: () => '/content/articles',
    steps: async (page, { number }) => {
      await page.fill('input[type=search]', `Batch ${number}`);
      await page.rows(10);
      await page.click('thead input');
      await page.click('.selection button', 'Publish');
      await page.click('.dialog button', 'Publish');
      await page.notice('10 entries published.');
    },
    isDone: async ({ send, number }) =>
      (await send('GET', `articles?filters[title][$startsWith]=Batch ${number}`)).meta.pagination.total === 10,
  },
  {
    name: 'Upload 5 images, and give each an alternative text',
    at: () => '/files',
    steps: async (page, { number }) => {
      const own = `upload-${number}`;
      await page.dropFile('.drop', ...[1, 2, 3, 4, 5].map((index) => `${own}-${index}.png`));
      const isOwn = `({ textContent }) => textContent.includes('${own}')`;
      await page.waitFor(`[...document.querySelectorAll('.grid button')].filter(${isOwn}).length === 5`);
      await page.click('.grid button', own);
      // The way to the next file saves what was typed.
      for (const index of [1, 2, 3, 4, 5]) {
        await page.fill('.dialog [name=alternativeText]', `A field of rye, ${index}`);
        if (index === 5) break;
        const title = await page.evaluate(`document.querySelector('.dialog h2').textContent`);
        await page.click('.neighbours button:last-child');
        await page.waitFor(`!['', ${JSON.stringify(title)}].includes(document.querySelector('.dialog h2').textContent) &&
          document.querySelector('.dialog [name=alternativeText]')?.value === ''`);
      }
      await page.press('s');
      await page.waitFor(`document.querySelector('.dialog [role=status]')?.textContent === 'Saved.'`);
    },
    isDone: async ({ send, number }) => {
      const files = await send('GET', `upload/files?filters[name][$startsWith]=upload-${number}`);
      return files.filter(({ alternativeText }) => alternativeText?.startsWith('A field')).length === 5;
    },
  },
  {
    name: 'Crop an image',
    prepare: ({ upload, number }) => upload(number),
    at: () => '/files',
    steps: async (page, { number }) => {
      await page.click('.grid button', `image-${number}.png`);
      await page.click('.dialog button', 'Crop…');
      await page.waitFor(`document.querySelector('.dialog [name=width]')?.value === '400'`);
      await page.fill('.dialog [name=width]', '200');
      await page.click('.dialog button', 'Save as a new file');
      await page.waitFor(`document.querySelector('.dialog [name=width]') === null`);
    },
    isDone: async ({ send, number }) => {
      const files = await send('GET', `upload/files?filters[name][$startsWith]=image-${number}`);
      return files.some(({ width }) => width === 200);
    },
  },
  {
    name: 'Translate the title of an entry',
    prepare: ({ send, number }) => send('POST', 'articles', { data: { title: `Bread ${number}` } }),
    at: ({ made }) => `/content/articles/${made.data.id}`,
    steps: async (page, { number }) => {
      await page.click('a', 'Translate into French');
      await page.waitFor(`location.search.includes('locale=fr') && document.querySelector('${field('title')}')?.value`);
      await page.fill(field('title'), `Pain ${number}`);
      await page.click('button', 'Save draft');
      await page.shown(`Pain ${number}`);
    },
  },
  {
    name: 'Restore a deleted entry',
    prepare: async ({ send, number }) => {
      const made = await send('POST', 'articles', { data: { title: `Deleted ${number}` } });
      await send('DELETE', `articles/${made.data.id}`);
      return made;
    },
    at: () => '/content/articles',
    steps: async (page, { number }) => {
      await page.click('a', 'Trash');
      await page.click(`[aria-label="Restore Deleted ${number}"]`);
      await page.notice('Restored');
    },
    isDone: async ({ send, made }) => (await send('GET', `articles/${made.data.id}`)).data.id === made.data.id,
  },
  {
    name: 'Give a value to 20 entries',
    prepare: ({ send, number }) =>
      several(send, 20, (index) => ({
        title: `Series ${number} no. ${String(index).padStart(2, '0')}`,
        publishedAt: null,
      })),
    at: () => '/content/articles',
    steps: async (page, { number }) => {
      await page.fill('input[type=search]', `Series ${number}`);
      await page.rows(20);
      await page.click('thead input');
      await page.click('.selection button', 'Change a value…');
      await page.choose('.dialog .choice', 'readingMinutes');
      await page.fill('#change-readingMinutes', '7');
      await page.click('.dialog button', 'Next…');
      await page.waitFor(`document.querySelector('.dialog blockquote') !== null`);
      await page.click('.dialog button', 'Change');
      await page.notice('20 entries changed.');
    },
    isDone: async ({ send, number }) => {
      const query = `publicationState=preview&filters[title][$startsWith]=Series ${number}&filters[readingMinutes]=7`;
      return (await send('GET', `articles?${query}`)).meta.pagination.total === 20;
    },
  },
];

async function several(send, count, dataOf) {
  for (let index = 0; index < count; index += 1) await send('POST', 'articles', { data: dataOf(index) });
}

/**
 * What a person does, and how often they act for it: a date or a text is one input, a choice is opened and chosen from.
 */
const acts = {
  click: 1, fill: 1, choose: 2, insert: 1, write: 1, press: 1, paste: 1, placeCursor: 1, open: 1, dropFile: 1,
}; // prettier-ignore

/** Milliseconds in which Slate takes over a selection. People type more slowly than a program. */
const settle = 150;

/** A page as the steps use it. */
function usable(page) {
  const pause = () => page.evaluate(`new Promise((done) => setTimeout(done, ${settle}))`);
  return {
    ...page,
    /** Clicks into a text that is empty. */
    open: async (selector) => {
      const middle = `(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element?.scrollIntoView({ block: 'center' });
        const { x, y, width } = element?.getBoundingClientRect() ?? {};
        return element?.isContentEditable && { x: x + width / 2, y: y + 12 };
      })()`;
      await page.clickAt(await page.waitFor(middle));
      await pause();
    },
    /** Letter by letter. */
    write: async (text) => {
      for (const letter of text) await page.insert(letter);
      await pause();
    },
    press: async (key) => {
      await page.press(key);
      if (key === 'Enter') await pause();
    },
    shown: (text) => page.waitFor(`document.querySelector('h1')?.textContent.includes(${JSON.stringify(text)})`),
    rows: (count) =>
      page.waitFor(
        `document.querySelector('[aria-busy=true]') === null && document.querySelectorAll('tbody tr').length === ${count}`,
      ),
  };
}

/** Does a task in a browser of its own. @returns why it was not done, or what it took */
async function perform(editor, task, steps, number) {
  const context = { ...editor, number };
  const made = await task.prepare?.(context);
  const page = await openAs(editor, task.at({ ...context, made }));
  await page.waitFor(
    `document.querySelector('main h1') !== null && document.querySelector('[aria-busy=true]') === null`,
  );
  let [inputs, since] = [0];
  const used = usable(page);
  const counted = Object.entries(acts).map(([name, amount]) => [
    name,
    (...parameters) => {
      inputs += amount;
      since ??= performance.now();
      return used[name](...parameters);
    },
  ]);
  try {
    await steps({ ...used, ...Object.fromEntries(counted) }, { ...context, made });
    const seconds = (performance.now() - since) / 1000;
    const isDone = (await task.isDone?.({ ...context, made })) ?? true;
    if (!isDone) throw new Error('The API does not have what should have been done');
    return { inputs, seconds };
  } catch (error) {
    const file = path.join(os.tmpdir(), `editor-task-${number}.png`);
    fs.writeFileSync(file, await page.screenshot());
    throw new Error(`${task.name}: ${error.message}, see ${file}`, { cause: error });
  } finally {
    await page.close();
  }
}

const counts = { articles: 40, images: 10 };
const builds = [{ name: 'now', own: {}, editor: await startEditor(openFolders('editor-now-'), counts) }];
if (values.against !== undefined) {
  const editor = await startEditor(openFolders('editor-before-'), counts, values.against);
  const { default: own } = values.steps === undefined ? { default: {} } : await import(path.resolve(values.steps));
  builds.unshift({ name: 'before', own, editor });
}
const chosen = values.only?.split(',').map((text) => tasks[Number(text) - 1]) ?? tasks;
let number = 1000;
const rows = [];
for (const task of chosen) {
  const results = Object.fromEntries(builds.map(({ name }) => [name, []]));
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const { name, editor, own } of round % 2 === 0 ? builds : builds.toReversed()) {
      const steps = own[task.name] ?? task.steps;
      number += 1;
      if (typeof steps === 'string') results[name] = steps;
      else
        await perform(editor, task, steps, number).then(
          (result) => results[name].push(result),
          (error) => console.error(`${name}: ${error.message}`),
        );
    }
  }
  rows.push({ task: task.name, ...results });
}
for (const { editor } of builds) await editor.stop();
const columns = (key, digits) =>
  builds.map(({ name }) => ({
    title: `${key} ${name}`,
    right: true,
    value: (row) => (typeof row[name] === 'string' ? row[name] : decimals(digits)(medianOf(row[name], key))),
  }));
const names = { title: 'Task', value: ({ task }) => task };
console.log(formatTable([names, ...columns('inputs', 0), ...columns('seconds', 1)], rows));
