import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named } from '../strapi.js';

const nothing = (): void => undefined;
const nothingYet = async (): Promise<void> => undefined;

/** Events of the content API that webhooks may be sent for. */
const webhookEvents = ['create', 'update', 'delete', 'publish', 'unpublish'].map((event) => `entry.${event}`);

/**
 * Properties of `strapi` that have no effect on the API in Strapi v4 either: usage reports, the log of a start, names of webhook events.
 * What else they have in Strapi v4 throws an error that names it.
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
  webhookStore: strictProxy('strapi.webhookStore', {
    allowedEvents: new Map(webhookEvents.map((event) => [event, event])),
    addAllowedEvent(this: { readonly allowedEvents: Map<string, string> }, key: string, value: string): void {
      this.allowedEvents.set(key, value);
    },
    removeAllowedEvent(this: { readonly allowedEvents: Map<string, string> }, key: string): void {
      this.allowedEvents.delete(key);
    },
    findWebhooks: async () => [],
  }),
  isLoaded: false,
});
