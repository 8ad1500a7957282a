import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named } from '../strapi.js';

const nothing = (): void => undefined;
const nothingYet = async (): Promise<void> => undefined;

/**
 * Properties of `strapi` that have no effect on the API in Strapi v4 either: usage reports, the log of a start.
 * Their other members in Strapi v4 throw an error with their name.
 */
export const inertProperties = (): Named => ({
  telemetry: strictProxy('strapi.telemetry', {
    isDisabled: true,
    register: nothing,
    bootstrap: nothing,
    destroy: nothing,
    send: nothingYet,
  }),
  startupLogger: strictProxy('strapi.startupLogger', {
    logStats: nothing,
    logFirstStartupMessage: nothing,
    logDefaultStartupMessage: nothing,
    logStartupMessage: nothing,
  }),
  isLoaded: false,
});
