import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Jest's environment of a test file, without a context of its own: the names of globals are looked up several times faster, and
 * packages are loaded once per process; see `runtime.mjs`. What a file changes of the process is restored when it ends.
 */
export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };
  #exit = process.exit;
  #listeners = listenersOf(process);

  /** @param {{ readonly projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] }} configuration */
  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(process.env).filter((key) => !(key in this.#variables))) delete process.env[name];
    Object.assign(process.env, this.#variables);
    process.exit = this.#exit;
    for (const [event, listener] of listenersOf(process)) {
      const isOlder = this.#listeners.some(([name, older]) => name === event && older === listener);
      if (!isOlder) process.off(event, listener);
    }
    Object.defineProperties(globalThis, this.#globals);
    // Jest adds them for each file, and they hold its modules.
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (/^(?:EVENT_HANDLERS|JEST_STATE_SYMBOL)$/.test(symbol.description ?? '')) delete globalThis[symbol];
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
}

/** @param {import('node:events').EventEmitter} emitter */
const listenersOf = (emitter) =>
  emitter.eventNames().flatMap((event) => emitter.rawListeners(event).map((listener) => [event, listener]));
