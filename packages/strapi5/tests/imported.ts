import path from 'node:path';
import { importSource, type Importing } from '../../../src/cli/commands/import/import-source.js';
import { openSource } from '../../../src/cli/commands/import/import.js';
import type { TestService } from '../../../src/testing.js';
import { importingInto } from '../../../tests/api/cli/export/support.js';

/** What Strapi 5.54.0 exported, and what it answered before. */
export const recorded = 'packages/strapi5/tests/fixtures/import';
export const archive = path.join(recorded, 'world.tar.gz');

/** A service with the addresses of Strapi 5. */
export const asStrapi5 = {
  environment: { REST_PREFIX: '/v4/api' },
  plugins: {
    strapi5: { config: { path: '/' } },
    graphql: { config: { endpoint: '/v4/graphql' } },
  },
};

/** Imports an export into a service, and returns how many entries were stored, and what was left out. */
export async function importInto(
  service: TestService,
  address: string,
  options: Partial<Importing> & { readonly key?: string } = {},
) {
  const counts = { stored: 0, existing: 0 };
  const reporter = {
    stored: () => void (counts.stored += 1),
    existing: () => void (counts.existing += 1),
    read: () => undefined,
  };
  const { key, ...importing } = options;
  const source = await openSource(address, { key });
  const { skipped } = await importSource(source, {
    ...importingInto(service),
    removeOthers: false,
    reporter,
    ...importing,
  });
  return { ...counts, lines: skipped.lines() };
}
