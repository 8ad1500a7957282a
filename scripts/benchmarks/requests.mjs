// node scripts/benchmarks/requests.mjs [rounds] [requests] [text]: pairs of requests for the same, in processor time of
// service and database; only those with the text in their name
import { openBench, startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { localizeContentTypes } from './localized.mjs';
import { median } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { articles, freshNumber } from './workloads.mjs';
import { article } from './world.mjs';

const GROUPS = 5000;
const BATCH = 100;
const [rounds = '9', amount = '400', only = ''] = process.argv.slice(2);
const locales = ['en', 'de', 'fr'];
const ids = Array.from({ length: 64 }, (_, index) => 1 + index * 70);

const data = (part) => {
  const { title, body, kind, views, author, category, tags } = article(1);
  return { title: `${title} ${part}`, slug: `new-${freshNumber}-${part}`, body, kind, views, author, category, tags };
};
const change = { title: 'Changed', views: 7, author: 3, tags: [1, 2] };
const list = (query) => [articles(`${query}&pagination[start]=0&pagination[limit]=25`)];
const listWithoutTotal = (query) => list(`${query}&pagination[withCount]=false`);
/**
 * Each with the requests beside it. `share`: how many there are for one of these; `plain`: articles are not localized.
 */
const pairs = {
  '100 creates in one batch': {
    requests: [
      {
        path: '/api/batch',
        body: JSON.stringify({
          operations: Array.from({ length: BATCH }, (_, part) => ({ create: 'articles', data: data(part) })),
        }),
      },
    ],
    beside: [{ path: '/api/articles', body: JSON.stringify({ data: data(0) }) }],
    share: 1 / BATCH,
    plain: true,
  },
  '100 updates in one batch': {
    requests: [
      {
        path: '/api/batch',
        body: JSON.stringify({
          operations: Array.from({ length: BATCH }, (_, part) => ({ update: 'articles', id: 1 + part, data: change })),
        }),
      },
    ],
    beside: Array.from({ length: BATCH }, (_, part) => ({
      path: `/api/articles/${1 + part}`,
      method: 'PUT',
      body: JSON.stringify({ data: change }),
    })),
    share: 1 / BATCH,
    plain: true,
  },
  'an entry by a key': {
    requests: ids.map((id) => ({ path: `/api/articles/by/slug/${article(id).slug}` })),
    beside: ids.map((id) => ({ path: `/api/articles/${id}` })),
    plain: true,
  },
  'a localized entry by a key': {
    requests: ids.map((id) => ({ path: `/api/articles/by/slug/${article(id).slug}-en` })),
    beside: ids.map((id) => ({ path: `/api/articles/${(id - 1) * locales.length + 1}` })),
  },
  'an entry by a key, with a fallback': {
    requests: ids.map((id) => ({ path: `/api/articles/by/slug/${article(id).slug}-en?locale=it&fallbackLocale=en` })),
    beside: ids.map((id) => ({ path: `/api/articles/${(id - 1) * locales.length + 1}` })),
  },
  'an entry by its id, with a fallback': {
    requests: ids.map((id) => ({
      path: `/api/articles/${(id - 1) * locales.length + 1}?locale=it&fallbackLocale=en`,
    })),
    beside: ids.map((id) => ({ path: `/api/articles/${(id - 1) * locales.length + 1}` })),
  },
  'a list with one fallback': { requests: list('locale=it&fallbackLocale=en'), beside: list('locale=en') },
  'a list with two fallbacks': { requests: list('locale=it&fallbackLocale=de,en'), beside: list('locale=de') },
  'the same without a total': {
    requests: listWithoutTotal('locale=it&fallbackLocale=de,en'),
    beside: listWithoutTotal('locale=de'),
  },
  'the same with drafts': {
    requests: list('publicationState=preview&locale=it&fallbackLocale=de,en'),
    beside: list('publicationState=preview&locale=de'),
  },
};

const { makeFolder, load, engine, client, close } = await openBench('requests-');
await seedForService(client.db('plain'), GROUPS);
await seedForService(client.db('localized'), GROUPS, locales);
const contentTypes = localizeContentTypes(makeFolder('content-types'), locales);
const start = (DATABASE_NAME, settings = {}) =>
  startService({ MONGODB_URI: engine.uri, DATABASE_NAME, ...settings }, makeFolder(DATABASE_NAME));
const services = { plain: await start('plain'), localized: await start('localized', { CONTENT_TYPES: contentTypes }) };

/** Milliseconds for this number of requests. */
async function measure({ url, headers, pid }, requests, count) {
  const cpu = () => cpuOf(pid) + cpuOf(engine.pid);
  const before = cpu();
  const { failures } = await load.run({ url, headers, requests, connections: Math.min(4, count), amount: count });
  if (failures > 0) throw new Error(`${failures} of ${count} requests failed: ${requests[0].path}`);
  return cpu() - before;
}

for (const [name, { requests, beside, share = 1, plain = false }] of Object.entries(pairs)) {
  if (!name.includes(only)) continue;
  const service = plain ? services.plain : services.localized;
  const count = Math.max(1, Math.round(Number(amount) * share));
  const sides = [
    { requests: beside, count: Math.round(count / share), times: [] },
    { requests, count, times: [] },
  ];
  for (let round = 0; round <= Number(rounds); round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const time = await measure(service, side.requests, side.count);
      // The first round warms up.
      if (round > 0) side.times.push(time);
    }
  }
  const [first, second] = sides.map(({ times }) => median(times));
  const per = (time) => (time / Math.round(count / share)).toFixed(2);
  console.log(`${name.padEnd(36)} ${per(second)} ms beside ${per(first)} ms: × ${(second / first).toFixed(2)}`);
}
for (const service of Object.values(services)) await service.stop();
await close();
