// node scripts/benchmarks/editor-pages.mjs [articles] [--against checkout] [--rounds 3] [--pages 150]: what a browser
// receives before pages of the editor are there, how long that takes on this machine and on a slow line, and what stays
// in its memory after many changes of the page
import { parseArgs } from 'node:util';
import { field, openAs, startEditor } from './editor-world.mjs';
import { openFolders } from './folders.mjs';
import { medianOf } from './measure.mjs';
import { decimals, formatTable } from './table.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    pages: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '3' },
  },
});
const [articles = '200'] = positionals;
/** 1.6 Mbit/s in both directions, and 150 ms from a request to its answer. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };

/** The first visit of each page, by a user who is logged in, without anything in the browser's cache. */
const visits = [
  { name: 'Home', address: '', isThere: `document.querySelector('.halves') !== null` },
  { name: 'List', address: '/content/articles', isThere: `document.querySelector('tbody a') !== null` },
  {
    name: 'Form with a text',
    address: '/content/articles/1',
    isThere: `document.querySelector('${field('body')}')?.textContent.includes('Bread')`,
  },
  { name: 'Library', address: '/files', isThere: `document.querySelector('.grid img')?.complete` },
];

/**
 * Bytes with their headers and milliseconds, until an expression is true for the first time; what is loaded ahead comes
 * later.
 */
const watch = (isThere) => `{
  const look = () => {
    if (!(${isThere})) return requestAnimationFrame(look);
    const entries = [...performance.getEntriesByType('resource'), performance.getEntriesByType('navigation')[0]];
    const sum = (chosen) => chosen.reduce((total, { transferSize }) => total + transferSize, 0);
    globalThis.visit = {
      time: performance.now(),
      bytes: sum(entries),
      assets: sum(entries.filter(({ name }) => /\\.(js|css)$/.test(name))),
      requests: entries.length,
    };
  };
  addEventListener('DOMContentLoaded', look);
}`;

/** Visits a page in a browser that has nothing of it. */
async function visit(editor, { address, isThere }, conditions) {
  const page = await openAs(editor, '/account');
  await page.command('Network.clearBrowserCache');
  if (conditions !== undefined) await page.command('Network.emulateNetworkConditions', conditions);
  await page.command('Page.addScriptToEvaluateOnNewDocument', { source: watch(isThere) });
  await page.command('Page.navigate', { url: `${editor.url}/admin${address}` });
  const result = await page.waitFor('globalThis.visit');
  await page.close();
  return result;
}

/** What the page holds when nothing is left over that could be collected. */
async function count(page) {
  for (let round = 0; round < 3; round += 1) await page.command('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners: listeners } = await page.command('Memory.getDOMCounters');
  const { usedSize } = await page.command('Runtime.getHeapUsage');
  return { nodes, listeners, megabytes: usedSize / 1e6 };
}

/** Where the editor goes in turns, and what happens there. */
const turns = [
  ['', (page) => page.waitFor(`document.querySelector('.recent a') !== null`)],
  ['/content/articles', (page) => page.waitFor(`document.querySelector('tbody a') !== null`)],
  [
    '/content/articles/1',
    async (page) => {
      await page.fill(field('title'), 'Typed over it');
      await page.fill(field('title'), 'Note 0');
    },
  ],
  ['/files', (page) => page.waitFor(`document.querySelector('.grid img') !== null`)],
  ['/content/articles/new', (page) => page.fill(field('title'), 'Typed')],
  ['/content/authors', (page) => page.waitFor(`document.querySelector('input[type=search]') !== null`)],
];

/** Goes from page to page, typing in forms, and counts at the same page after a fifth of the changes and at the end. */
async function changePages(editor, changes) {
  const page = await openAs(editor, '');
  const counted = [];
  for (let change = 1; change <= changes; change += 1) {
    const [address, stay] = turns[change % turns.length];
    await page.goTo(`/admin${address}`);
    await stay(page);
    if (change === changes / 5 || change === changes) counted.push({ changes: change, ...(await count(page)) });
  }
  await page.close();
  return counted;
}

/** Visits a page in turns on this machine and on a slow line. */
async function measureVisits(editor, one) {
  const [local, slowly] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    local.push(await visit(editor, one));
    slowly.push(await visit(editor, one, slow));
  }
  const [{ assets, bytes, requests }] = local;
  const seconds = (rounds) => medianOf(rounds, 'time') / 1000;
  return {
    name: one.name,
    assets: assets / 1000,
    all: bytes / 1000,
    requests,
    local: seconds(local),
    slow: seconds(slowly),
  };
}

const number = (title, key, digits) => ({ title, right: true, value: (row) => decimals(digits)(row[key]) });
const builds = [{ name: 'now' }, ...(values.against ? [{ name: 'before', checkout: values.against }] : [])];
for (const { name, checkout } of builds) {
  const counts = { articles: Number(articles), images: 30 };
  const editor = await startEditor(openFolders(`editor-pages-${name}-`), counts, checkout);
  const visited = [];
  for (const one of visits) visited.push(await measureVisits(editor, one));
  const columns = [
    number('kB of JS and CSS', 'assets', 0),
    number('kB in all', 'all', 0),
    number('requests', 'requests', 0),
    number('seconds here', 'local', 1),
    number('at 1.6 Mbit/s', 'slow', 1),
  ];
  console.log(formatTable([{ title: `Page, ${name}`, value: (row) => row.name }, ...columns], visited));
  const memory = [
    number(`Changes of the page, ${name}`, 'changes', 0),
    number('DOM nodes', 'nodes', 0),
    number('listeners', 'listeners', 0),
    number('heap in MB', 'megabytes', 1),
  ];
  console.log(formatTable(memory, await changePages(editor, Number(values.pages))));
  await editor.stop();
}
