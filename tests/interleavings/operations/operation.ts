import type { Instance } from '../world/world.js';

/** A write, as a client sends it. */
export interface Operation {
  readonly name: string;
  readonly run: (instance: Instance) => Promise<unknown>;
  /** Others may see some of its writes before it is decided that all of them happen. */
  readonly isBatch?: boolean;
}
