import { randomNumbers } from '../support/random-numbers.js';
import { seed } from '../support/scaled.js';

/**
 * A source of random numbers for each of several clients: the same in each `npm test`, others in each `npm run faults`.
 */
export const randomOf = (client: number): (() => number) =>
  process.env['FAULT_ROUNDS'] === undefined ? randomNumbers(seed + client) : Math.random;
