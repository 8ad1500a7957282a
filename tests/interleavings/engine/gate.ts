import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import type { Document } from 'mongodb';
import { sequence } from './sequence.js';

/** A command that an actor is about to send. */
export interface Command {
  /** `find`, `insert`, `update`, … */
  readonly name: string;
  readonly collection: string;
  readonly body: Document;
}

/** A command that waits for its turn. */
export interface HeldCommand {
  /** Its actor, and the number of the command among those of that actor, e.g. `a.3`. */
  readonly id: string;
  readonly actor: Actor;
  readonly command: Command;
  /** Sends it, or another in its place; returns the reply, also that of an error. */
  readonly send: (instead?: Document) => Promise<unknown>;
}

/** One operation whose commands are held. */
export interface Actor {
  readonly name: string;
  readonly held: Map<string, HeldCommand>;
  /** Pauses until others have done something. */
  readonly pauses: Set<() => void>;
  /** The outcome of the operation; undefined while it is in progress. */
  outcome: Outcome | undefined;
  /** From now on none of its commands is sent: its process died. */
  crashed: boolean;
  /** How many commands it wanted to send. */
  commands: number;
  readonly options: ActorOptions;
}

export type Outcome = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly error: unknown };

/**
 * Changes commands on their way, for protocols that are broken on purpose; undefined: it is not sent, and seems done.
 */
export type Rewrite = (command: Command) => Document | undefined;

export interface ActorOptions {
  readonly rewrite?: Rewrite | undefined;
  /** For traces of replays. */
  readonly onReply?: ((id: string, reply: unknown) => void) | undefined;
}

/** Holds the commands of actors; all others pass. */
export interface Gate {
  start(name: string, work: () => Promise<unknown>, options?: ActorOptions): Actor;
  /** Waits in the current actor until `resume` ends all of its pauses. */
  pause(): Promise<void>;
  /** Waits until each actor has ended or waits for a command; of those that share commands one has to. */
  quiet(actors: readonly Actor[], isSharing: boolean): Promise<void>;
  close(): void;
}

/** An actor whose process died. */
export class Crashed extends Error {}

type Send = (namespace: { db: string }, body: Document, options: Document, type: unknown) => Promise<unknown>;

/** A bulk of several collections is sent to the database `admin`. */
const databaseOf = (namespace: { db: string }, body: Document): string => {
  const [first] = body['bulkWrite'] === undefined ? [] : sequence(body['nsInfo']);
  return first === undefined ? namespace.db : String(first['ns']).replace(/\..*/, '');
};

/** Turns of the event loop after which an actor that waits for one command has sent all that it sends beside it. */
const TURNS = 2;
/** More turns for the actors of one process, as one may wait for the commands of another. */
const SHARED_TURNS = 12;

/**
 * Holds commands at the place where the driver hands them to a connection, so that all that the service does is seen,
 * and nothing of the service needs to know. One gate serves all executions: Node asks each AsyncLocalStorage about each
 * promise, as long as the process runs.
 */
export function openGate(database: string): Gate {
  const { Connection } = jest.requireActual<{ Connection: { prototype: { command: Send } } }>(
    'mongodb/lib/cmap/connection',
  );
  const current = new AsyncLocalStorage<Actor>();
  const original = Connection.prototype.command;
  let wake: () => void = () => undefined;
  const hold = (actor: Actor, command: Command, send: HeldCommand['send']): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (actor.crashed) {
        reject(new Crashed());
        return;
      }
      actor.commands += 1;
      const id = `${actor.name}.${actor.commands}`;
      actor.held.set(id, {
        id,
        actor,
        command,
        send: async (instead) => {
          actor.held.delete(id);
          if (actor.crashed) {
            reject(new Crashed());
            return undefined;
          }
          try {
            const reply = await send(instead);
            actor.options.onReply?.(id, reply);
            resolve(reply);
            return reply;
          } catch (error) {
            reject(error);
            return error;
          }
        },
      });
      wake();
    });
  Connection.prototype.command = function (namespace, body, options, type) {
    const actor = current.getStore();
    if (actor === undefined || databaseOf(namespace, body) !== database)
      return original.call(this, namespace, body, options, type);
    const [name = ''] = Object.keys(body);
    const command = { name, collection: String(body[name]), body };
    const { rewrite } = actor.options;
    const changed = rewrite === undefined ? body : rewrite(command);
    return hold(actor, command, (instead) =>
      changed === undefined
        ? Promise.resolve({ ok: 1, n: 0, nModified: 0 })
        : original.call(this, namespace, instead ?? changed, options, type),
    );
  };
  const isQuiet = ({ outcome, held, pauses }: Actor): boolean =>
    outcome !== undefined || held.size > 0 || pauses.size > 0;
  return {
    start: (name, work, options = {}) => {
      const actor: Actor = {
        name,
        held: new Map(),
        pauses: new Set(),
        outcome: undefined,
        crashed: false,
        commands: 0,
        options,
      };
      const end = (outcome: Outcome): void => {
        actor.outcome = outcome;
        wake();
      };
      current.run(actor, work).then(
        () => end({ kind: 'done' }),
        (error: unknown) => end({ kind: 'refused', error }),
      );
      return actor;
    },
    pause: () => {
      const actor = current.getStore();
      return new Promise((resolve, reject) => {
        if (actor === undefined) resolve();
        else if (actor.crashed) reject(new Crashed());
        else {
          actor.commands += 1;
          actor.pauses.add(() => (actor.crashed ? reject(new Crashed()) : resolve()));
          wake();
        }
      });
    },
    quiet: async (actors, isSharing) => {
      const areQuiet = (): boolean =>
        actors.every(isQuiet) || (isSharing && actors.some(({ held, pauses }) => held.size + pauses.size > 0));
      const sizeOf = (): number => actors.reduce((sum, { commands }) => sum + commands, 0);
      for (;;) {
        while (!areQuiet()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const before = sizeOf();
        const turns = isSharing ? SHARED_TURNS : TURNS;
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        if (before === sizeOf() && areQuiet()) return;
      }
    },
    close: () => {
      Connection.prototype.command = original;
    },
  };
}
