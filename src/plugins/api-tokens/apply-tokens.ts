import type { Entries, Entry } from '../../documents/entries.js';
import type { TokenAccess } from '../contract/access/access.js';
import { storedActions } from '../contract/access/rule.js';
import { apiToken } from './definition.js';
import { hashKey } from './hash-key.js';

/** Creates missing declared tokens, and updates those that differ. Returns a line for each. */
export async function applyTokens(
  tokens: readonly TokenAccess[],
  entries: Entries,
  salt: string,
): Promise<readonly string[]> {
  const changes: string[] = [];
  for (const token of tokens) {
    const data = dataOf(token, salt);
    const stored = await entries.findFirst(apiToken.uid, { filters: { name: token.name } });
    const changed = stored === undefined ? [] : Object.keys(data).filter((name) => differs(stored, data, name));
    if (stored === undefined) {
      await entries.create(apiToken.uid, data);
      changes.push(`API token "${token.name}" created (${token.type})`);
    } else if (changed.length > 0) {
      await entries.update(apiToken.uid, stored.id, data);
      changes.push(`API token "${token.name}" changed: ${changed.join(', ')}`);
    }
  }
  return changes;
}

function dataOf(
  { key, expiresAt, description, name, type, permissions, rules }: TokenAccess,
  salt: string,
): Readonly<Record<string, unknown>> {
  return {
    name,
    type,
    permissions: storedActions(permissions, rules),
    description: description ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    accessKey: hashKey(key, salt),
  };
}

const differs = (stored: Entry, data: Readonly<Record<string, unknown>>, name: string): boolean =>
  JSON.stringify(stored[name] ?? null) !== JSON.stringify(data[name] ?? null);
