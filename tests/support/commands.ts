import type { CommandStartedEvent } from 'mongodb';
import type { TestService } from '../../src/testing.js';

/** The URI of the test database, with every command reported; see `commandsOf`. */
export const monitoredUri = (): string => `${process.env['TEST_MONGODB_URI'] ?? ''}?monitorCommands=true`;

/** The names of the commands that the service sends to the database meanwhile, in order. */
export async function commandsOf({ database }: TestService, work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const note = ({ commandName }: CommandStartedEvent): void => void names.push(commandName);
  database.client.on('commandStarted', note);
  try {
    await work();
  } finally {
    database.client.off('commandStarted', note);
  }
  return names;
}
