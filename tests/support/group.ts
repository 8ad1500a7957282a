import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, jest } from '@jest/globals';

/**
 * Runs a group of test files as one file of Jest, so that the modules of the service, and of all packages, are
 * evaluated once for all of them. Each file is a block of its own: its hooks run around its own tests, and the
 * environment variables that it changes are restored.
 *
 * All files are loaded before the first test runs. If one replaced a function of the process then, another would
 * restore it, or not: that depends on which files are together. So it is refused.
 */
const files = Reflect.get(globalThis, 'TEST_GROUP') as readonly string[];
const times = process.env['TEST_TIMES'] ?? '';

describe.each(files)('%s', (file) => {
  const variables = { ...process.env };
  let start: number;
  let processor: NodeJS.CpuUsage;
  beforeAll(() => {
    start = performance.now();
    processor = process.cpuUsage();
  });
  require(path.resolve(file));
  const replaced = [globalThis, console, performance, process, Math, Date].flatMap((owner) =>
    Object.entries(Object.getOwnPropertyDescriptors(owner)).filter(([, { value }]) => jest.isMockFunction(value)),
  );
  if (replaced.length > 0)
    throw new Error(
      `${file} replaces ${replaced.map(([name]) => name).join(', ')} when it is loaded: do it in beforeAll`,
    );
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    const { user, system } = process.cpuUsage(processor);
    const seconds = { elapsed: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 };
    appendFileSync(times, `${JSON.stringify({ file, ...seconds })}\n`);
  });
});
