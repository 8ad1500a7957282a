import path from 'node:path';
import { EmbeddedUnavailable, findEnginePackage } from './engine-package.js';

/** The program that serves the engine as if it were mongod. */
export const program = path.join(import.meta.dirname, '..', 'bin', 'embedded-mongod.mjs');

/** The version of the engine, or why it cannot run on this system. */
export function describeEngine(): { readonly version: string } | { readonly unavailable: string } {
  try {
    return { version: findEnginePackage().version };
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) return { unavailable: error.message };
    throw error;
  }
}
