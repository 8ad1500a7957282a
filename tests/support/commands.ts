import type { CommandStartedEvent } from 'mongodb';
import type { TestService } from '../../src/testing.js';

/** The URI of the test database, with every command reported; see `commandsOf`. */
export const monitoredUri = (): string => testUri('monitorCommands', 'true');

/** The URI of the test database with one more option: it has some already where the tests run on a replica set. */
export function testUri(option: string, value: string): string {
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.searchParams.set(option, value);
  return uri.href;
}

const byChance = new Set<unknown>(['strapi_api_tokens', '_webhooks', '_schedules']);

/**
 * The names of the commands that the service sends to the database meanwhile, in order. What tells whether a remembered
 * total is still right is called `versions`, and runs beside the others. Reads of API tokens, which are cached for a moment, and of the
 * declared webhooks, which a timer repeats, are left out: when they happen is chance.
 */
export async function commandsOf({ database }: TestService, work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent): void => {
    if (byChance.has(command['find'])) return;
    names.push(command['find'] === '_versions' ? 'versions' : commandName);
  };
  database.client.on('commandStarted', note);
  try {
    await work();
  } finally {
    database.client.off('commandStarted', note);
  }
  return names;
}
