import { answersWithin } from '../../config/answers-within.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { createTtlCache } from '../../plugins/contract/ttl-cache.js';

/** Milliseconds within which a healthy dependency responds. */
const CHECK_TIMEOUT_MS = 1000;

/** The names of the dependencies that do not respond. Each is checked at most once a second. */
export function createFindDegraded(plugins: readonly Plugin[]): () => Promise<readonly string[]> {
  const checks = new Map(plugins.flatMap(({ dependencies = {} }) => Object.entries(dependencies)));
  const answers = createTtlCache(Math.max(1, checks.size), async (name: string) =>
    answersWithin(CHECK_TIMEOUT_MS, Promise.resolve(checks.get(name)?.())),
  );
  return async () => {
    const names = [...checks.keys()];
    const answering = await Promise.all(names.map((name) => answers.get(name)));
    return names.filter((_, index) => answering[index] !== true);
  };
}
