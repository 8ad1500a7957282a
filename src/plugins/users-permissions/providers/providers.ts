import { createHmac } from 'node:crypto';
import { StartError } from '../../../errors/start-error.js';
import type { PluginContext } from '../../plugin.js';
import { createExchange, type Exchange } from './exchange.js';
import type { Provider } from './provider-settings.js';
import { createTickets, type Tickets } from './tickets.js';

/** The providers that people can log in with, by name. */
export interface Providers {
  readonly known: ReadonlyMap<string, { readonly provider: Provider; readonly exchange: Exchange }>;
  readonly tickets: Tickets;
}

/** @throws StartError when providers could not lead back to this service */
export function openProviders(
  providers: readonly Provider[],
  { publicUrl, secrets }: Pick<PluginContext, 'publicUrl' | 'secrets'>,
): Providers {
  if (publicUrl === undefined && providers.length > 0) {
    throw new StartError('PUBLIC_URL is missing: providers of log-ins must know where to lead back to');
  }
  const secret = createHmac('sha256', secrets.jwt).update('cookies of providers').digest('hex');
  const settings = { publicUrl: publicUrl ?? '', secret };
  const known = providers.map(
    (provider) => [provider.name, { provider, exchange: createExchange(provider, settings) }] as const,
  );
  return { known: new Map(known), tickets: createTickets(secrets.jwt) };
}
