import { startService } from './children.mjs';
import { growthDatabase } from './growth.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { articles } from './workloads.mjs';

/** The first is a value of the articles' own without an index: each article is looked at, and the first 25 are kept. */
const sorts = [
  'rating',
  'author.name',
  'author.name:desc,title',
  'category.parent.name',
  'author.name&filters[views][$gt]=10',
  'tags.name',
  'author.articles.title',
];

/**
 * Measures first pages in orders that no index has, by own values and through relations.
 * @returns a row for each; `first` is the row of the first
 */
export async function measureSorts(client, uri, makeFolder, tools, options) {
  const count = options.sizes.at(-1);
  const name = growthDatabase(count);
  await seedForService(client.db(name), count);
  const service = await startService({ MONGODB_URI: uri, DATABASE_NAME: name }, makeFolder(name));
  const rows = [];
  for (const sort of sorts) {
    const requests = { page: [articles(`sort=${sort}&pagination[withCount]=false`)] };
    const [row] = await measure('page', [{ ...service, name: sort, requests }], { ...tools, client }, options);
    rows.push(Object.assign(row, { first: rows[0] ?? row }));
  }
  await service.stop();
  return rows;
}
