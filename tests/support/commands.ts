import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';
import type { TestService } from '../../src/testing.js';

/** The URI of the test database, or of another on its server, with every command reported; see `commandsOf`. */
export const monitoredUri = (database?: string): string => testUri('monitorCommands', 'true', database);

/** The URI of the test database with one more option: it has some already where the tests run on a replica set. */
export function testUri(option: string, value: string, database = ''): string {
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.pathname = `/${database}`;
  uri.searchParams.set(option, value);
  return uri.href;
}

/** Collections whose reads are cached for a moment. */
const CACHED = new Set(['strapi_api_tokens', 'i18n_locale']);

/** Node's channel of requests that a server receives, in the context in which it handles them. */
const REQUEST = 'http.server.request.start';

/**
 * The names of the commands that the service sends to the database because of the work, in order. What tells whether a
 * remembered total is still right is called `versions`, and runs beside the others; `changes` follows if a write has
 * come between, to see what it changed. Reads of API tokens and locales, samples of collections and lists of their
 * indexes, which are cached for a moment, are left out, and so is the renewal of a transaction that takes longer than
 * usual: when they happen is chance.
 */
export async function commandsOf({ database }: TestService, work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent): void => {
    if (CACHED.has(command['find'] as string) || isOfScan({ commandName, command }) || isRenewal(command)) return;
    names.push(command['find'] === '_versions' ? versionsIn(command) : commandName);
  };
  await followCommands(database.client, note, work);
  return names;
}

/** Whether the command is one of those that decide how a collection is scanned, once in a minute. */
export const isOfScan = ({ commandName, command }: Pick<CommandStartedEvent, 'command' | 'commandName'>): boolean =>
  commandName === 'listIndexes' ||
  (command['pipeline'] as readonly Document[] | undefined)?.[0]?.['$sample'] !== undefined;

/** Whether the command is what a process sends at intervals while it has a transaction. */
const isRenewal = ({ update, updates }: Document): boolean =>
  update === '_transactions' && Object.keys((updates as readonly Document[])[0]?.['u']).join() === '$currentDate';

const versionsIn = ({ projection }: CommandStartedEvent['command']): string =>
  projection.log === 1 ? 'changes' : 'versions';

/**
 * Notes the commands that the work sends, also by requests to services of this process. Timers send others meanwhile.
 */
export async function followCommands(
  client: MongoClient,
  note: (event: CommandStartedEvent) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const cause = new AsyncLocalStorage<'work'>();
  const enter = (): void => cause.enterWith('work');
  const noteOwn = (event: CommandStartedEvent): void => {
    if (cause.getStore() === 'work') note(event);
  };
  subscribe(REQUEST, enter);
  client.on('commandStarted', noteOwn);
  try {
    await cause.run('work', work);
  } finally {
    client.off('commandStarted', noteOwn);
    unsubscribe(REQUEST, enter);
    cause.disable();
  }
}
