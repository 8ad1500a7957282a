import { startService } from './children.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { firstPages } from './workloads.mjs';

export const growthDatabase = (count) => `content_service_bench_${count}`;

/**
 * Measures one entry, and first pages whose filter and sort an index serves, in small worlds and in large ones
 * (`options.sizes`): they must cost the same.
 * @returns a row for each workload and world; `small` is the row of the small one
 */
export async function measureGrowth(client, uri, makeFolder, tools, options) {
  const systems = [];
  for (const count of options.sizes) {
    const name = growthDatabase(count);
    await seedForService(client.db(name), count);
    const service = await startService({ MONGODB_URI: uri, DATABASE_NAME: name }, makeFolder(name));
    systems.push({ name: count.toLocaleString('en'), requests: firstPages, ...service });
  }
  const rows = [];
  for (const workload of Object.keys(firstPages)) {
    const measured = await measure(workload, systems, { ...tools, client }, options);
    rows.push(...measured.map((row, index) => ({ ...row, count: options.sizes[index], workload, small: measured[0] })));
  }
  for (const { stop } of systems) await stop();
  return rows;
}
