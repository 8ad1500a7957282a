import { StartError } from '../../errors/start-error.js';
import type { Tolerate } from '../contract/plugin.js';

/**
 * The settings of the plugins file: `{ routes: true }` lets users manage tokens over REST.
 * @param tolerate receives a line for each unknown setting, which is refused without it
 * @throws StartError with the cause
 */
export function parseSettings(
  settings: Readonly<Record<string, unknown>>,
  tolerate?: Tolerate,
): { readonly routes: boolean } {
  const { routes = false, ...others } = settings;
  for (const name of Object.keys(others)) {
    const error = wrong(name, 'unknown', 'routes');
    if (tolerate === undefined) throw error;
    tolerate(error.message);
  }
  if (typeof routes !== 'boolean') throw wrong('routes', `a ${typeof routes}`, 'true and false');
  return { routes };
}

const wrong = (name: string, actual: string, allowed: string): StartError =>
  new StartError(`api-tokens.config.${name} is ${actual}; allowed: ${allowed}`);
