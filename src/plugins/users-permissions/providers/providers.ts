import { createHmac } from 'node:crypto';
import { requirePackages } from '../../../config/optional-package.js';
import { StartError } from '../../../errors/start-error.js';
import type { Locks } from '../../../mongo/coordination/locks.js';
import { createExchange } from './exchange.js';
import type { Provider } from './provider-settings.js';
import { createExchangeCodes } from './exchange-codes.js';
import type { BuiltInSettings } from '../../contract/built-in.js';

/**
 * The providers that people can log in with, by name.
 * @throws StartError if there are providers, but no URL that they can redirect to
 */
export function openProviders(
  providers: readonly Provider[],
  { publicUrl, prefix, secrets, locks }: Pick<BuiltInSettings, 'publicUrl' | 'prefix' | 'secrets'> & { locks: Locks },
) {
  if (publicUrl === undefined && providers.length > 0) {
    throw new StartError('PUBLIC_URL is missing: login providers redirect to it');
  }
  const secret = createHmac('sha256', secrets.jwt).update('cookies of providers').digest('hex');
  if (providers.length > 0) requirePackages('Login providers need the package grant', 'grant');
  // Without providers nothing leads anywhere.
  const settings = { publicUrl: publicUrl ?? 'http://localhost', prefix: `${prefix}/connect`, secret };
  const entries = providers.map(
    (provider) => [provider.name, { provider, exchange: createExchange(provider, settings) }] as const,
  );
  return { byName: new Map(entries), codes: createExchangeCodes(locks, settings.publicUrl + prefix) };
}
