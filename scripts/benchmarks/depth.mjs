import { startService } from './children.mjs';
import { growthDatabase } from './growth.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { articles } from './workloads.mjs';

const size = 25;
const sorts = ['id', 'views:desc'];

/**
 * Measures the same pages of a long list by their number and after the entry before them, in an order that an index
 * has. Totals are remembered.
 * @returns a row for each sort, depth and way; `first` is the row of the first page
 */
export async function measureDepth(client, uri, makeFolder, tools, options) {
  const count = options.sizes.at(-1);
  /** How many entries stand before the page. */
  const depths = [0, 10_000, count - 10 * size];
  const name = growthDatabase(count);
  await seedForService(client.db(name), count);
  const service = await startService({ MONGODB_URI: uri, DATABASE_NAME: name }, makeFolder(name));
  const rows = [];
  for (const sort of sorts) {
    let first;
    for (const depth of depths) {
      const ways = {
        'by number': `pagination[page]=${depth / size + 1}&pagination[pageSize]=${size}`,
        'after an entry': `pagination[after]=${await placeBefore(service, sort, depth)}&pagination[pageSize]=${size}`,
      };
      const systems = Object.entries(ways).map(([way, pages]) => ({
        ...service,
        name: way,
        requests: { page: [articles(`sort=${sort}&${pages}`)] },
      }));
      const measured = await measure('page', systems, { ...tools, client }, options);
      first ??= measured[0];
      const place = { sort, depth, first };
      rows.push(...measured.map((row) => Object.assign(row, place)));
    }
  }
  await service.stop();
  return rows;
}

/** The value of `meta.pagination.next` after this many entries; empty before the first. */
async function placeBefore({ url, headers }, sort, depth) {
  if (depth === 0) return '';
  const { path } = articles(`sort=${sort}&pagination[start]=${depth - 1}&pagination[limit]=1`);
  const { data } = await (await fetch(url + path, { headers })).json();
  const [{ id, attributes }] = data;
  const [key] = sort.split(':');
  return Buffer.from(JSON.stringify([sort, key === 'id' ? id : attributes[key], id])).toString('base64url');
}
