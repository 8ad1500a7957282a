import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent, Document, MongoClient } from 'mongodb';

/** A completed or failed command. */
export interface ObservedCommand {
  readonly name: string;
  readonly ok: boolean;
  /** Milliseconds. */
  readonly time: number;
}

interface CommandObserver {
  readonly observe: (command: ObservedCommand) => void;
  /** Receives commands that took at least the configured time, with strings redacted. */
  readonly slow: number;
  readonly tellSlow: (command: ObservedCommand & { readonly command: Document }) => void;
}

/** Observes the commands of a client that reports them. */
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

/** Counts the commands of a client that use a connection: call it while there are none. */
export function countBusyConnections(client: MongoClient): () => number {
  let busy = 0;
  client.on('connectionCheckedOut', () => (busy += 1));
  client.on('connectionCheckedIn', () => (busy -= 1));
  return () => busy;
}

/** Keys whose strings are internal names: collections, fields, options. */
const named = new Set(
  ['aggregate', 'find', 'count', 'distinct', 'insert', 'update', 'delete', 'findAndModify'].concat([
    'from',
    'as',
    'localField',
    'foreignField',
    'coll',
    'path',
    '$db',
    '$count',
    'input',
    'vars',
  ]),
);
/** A field path or variable in an expression. */
const reference = /^\$\$?[A-Za-z_][\w.]*$/;
/** Entries and updates contain client data. */
const written = new Set(['documents', 'updates', 'ops', 'u', 'lsid', '$clusterTime']);
const HIDDEN = '?';

/** A command without client strings, which can be secret. Structure, numbers, dates and names are kept. */
export function redact(command: Document): Document {
  return hide(command, '') as Document;
}

function hide(value: unknown, key: string): unknown {
  if (written.has(key)) return HIDDEN;
  if (typeof value === 'string')
    return named.has(key) || (reference.test(value) && key !== '$literal') ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((element) => hide(element, key));
  if (value instanceof RegExp) return HIDDEN;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hide(part, name)]));
}
