import { setTimeout as wait } from 'node:timers/promises';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { createTtlCache } from '../../plugins/contract/ttl-cache.js';

/** Milliseconds within which a healthy dependency responds. */
const CHECK_TIMEOUT_MS = 1000;

/** The names of the dependencies that do not respond. Each is checked at most once a second. */
export function createFindDegraded(plugins: readonly Plugin[]): () => Promise<readonly string[]> {
  const checks = new Map(plugins.flatMap(({ dependencies = {} }) => Object.entries(dependencies)));
  const answers = createTtlCache(Math.max(1, checks.size), (name: string) => isAnswering(checks.get(name)));
  return async () => {
    const names = [...checks.keys()];
    const answering = await Promise.all(names.map((name) => answers.get(name)));
    return names.filter((_, index) => answering[index] !== true);
  };
}

async function isAnswering(check: (() => Promise<void>) | undefined): Promise<boolean> {
  const late = new AbortController();
  const answered = Promise.resolve(check?.()).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, wait(CHECK_TIMEOUT_MS, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
