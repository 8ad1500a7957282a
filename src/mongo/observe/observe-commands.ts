import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent, Document, MongoClient } from 'mongodb';
import { redact } from './redact.js';

/** A command that the database has answered, or failed. */
export interface ObservedCommand {
  readonly name: string;
  readonly ok: boolean;
  /** Milliseconds. */
  readonly time: number;
}

export interface CommandObserver {
  readonly observe: (command: ObservedCommand) => void;
  /** Receives commands that took at least the configured time, with strings redacted. */
  readonly slow: number;
  readonly tellSlow: (command: ObservedCommand & { readonly command: Document }) => void;
}

/** Watches the commands of a client that reports them. */
export function observeCommands(client: MongoClient, { observe, slow, tellSlow }: CommandObserver): void {
  const running = new Map<number, Document>();
  client.on('commandStarted', ({ requestId, command }: CommandStartedEvent) => {
    running.set(requestId, command);
  });
  const end = (
    { requestId, commandName: name, duration: time }: CommandSucceededEvent | CommandFailedEvent,
    ok: boolean,
  ) => {
    const command = running.get(requestId) ?? {};
    running.delete(requestId);
    observe({ name, ok, time });
    if (time >= slow) tellSlow({ name, ok, time, command: redact(command) });
  };
  client.on('commandSucceeded', (event) => end(event, true));
  client.on('commandFailed', (event) => end(event, false));
}

/** Counts the commands of a client that have a connection: call it while there are none. */
export function countBusyConnections(client: MongoClient): () => number {
  let busy = 0;
  client.on('connectionCheckedOut', () => (busy += 1));
  client.on('connectionCheckedIn', () => (busy -= 1));
  return () => busy;
}
