import type { Instance } from '../world/world.js';

/** A write, as a client sends it. */
export interface Operation {
  readonly name: string;
  readonly run: (instance: Instance) => Promise<unknown>;
}
