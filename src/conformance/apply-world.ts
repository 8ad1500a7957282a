import type { Service } from '../app.js';
import type { Secrets } from '../config/config.js';
import { hashKey } from '../plugins/api-tokens/hash-key.js';
import type { World, WorldToken } from './world.js';

const tokenType = 'admin::api-token';

/**
 * Brings a service into the state that `world.json` describes. A database that was in it once is left as it is: what
 * was changed since then stays changed.
 */
export async function applyWorld({ entries }: Service, { tokens }: World, { apiTokenSalt }: Secrets): Promise<void> {
  const known = new Set((await entries.findMany(tokenType)).map(({ name }) => name));
  const missing = Object.entries(tokens).filter(([name]) => !known.has(name));
  if (missing.length === 0 && known.size > 0) return;
  // The tokens come last: that they are there says that all the rest is.
  for (const [name, token] of missing) await entries.create(tokenType, tokenData(name, token, apiTokenSalt));
}

function tokenData(name: string, { accessKey, ...token }: WorldToken, salt: string): Readonly<Record<string, unknown>> {
  return { name, ...token, accessKey: hashKey(accessKey, salt) };
}
