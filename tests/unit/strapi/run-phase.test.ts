import { expect, test } from '@jest/globals';
import { runPhase, type Owner } from '../../../src/strapi/project/run-phase.js';
import type { Strapi } from '../../../src/strapi/strapi.js';

test('the log says which code the start waits for', async () => {
  const lines: unknown[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const log = {
    warn: (line: unknown) => {
      lines.push(line);
      release();
    },
  };
  const owners: readonly Owner[] = [
    { name: 'the plugin fast', phases: { bootstrap: () => undefined }, file: undefined },
    { name: 'the API slow', phases: { bootstrap: () => released }, file: 'src/api/slow/index.js' },
    { name: 'the project', phases: {}, file: undefined },
  ];
  await runPhase('bootstrap', owners, { folder: '.', strapi: { log } as unknown as Strapi, patience: 20 });
  expect(lines).toEqual([
    'src/api/slow/index.js: bootstrap of the API slow has taken 0.02 seconds so far, and the service waits until it ends',
  ]);
});
