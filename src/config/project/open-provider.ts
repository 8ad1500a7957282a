import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { copySettings } from '../plugins/copy-settings.js';
import { isRecord } from '../record.js';

/** A method of a provider by its name; undefined if it has none. */
type MethodOf = (name: string) => ((...parts: readonly unknown[]) => unknown) | undefined;

/**
 * Opens a provider of a package by Strapi v4's contract: its module exports `init`, whose result has the methods.
 * @param description for messages, e.g. `email: the provider "ses"`
 * @param options of `init`; it may change its copies
 * @throws StartError if it cannot be loaded, has another contract, or refuses its options
 */
export async function openProvider(
  description: string,
  load: () => Promise<unknown>,
  ...options: readonly unknown[]
): Promise<MethodOf> {
  const fail = (problem: string, error?: unknown): never => {
    throw new StartError(`${description} ${problem}`, { cause: error });
  };
  const module = await load().catch((error: unknown) => fail(`cannot be loaded: ${reasonOf(error)}`, error));
  const init = isRecord(module) ? module['init'] : undefined;
  if (typeof init !== 'function') return fail('must export a function init');
  let provider: unknown;
  try {
    provider = await Reflect.apply(init, module, options.map(copySettings));
  } catch (error) {
    return fail(`refuses its options: ${reasonOf(error)}`, error);
  }
  return (name) => {
    const method = isRecord(provider) ? provider[name] : undefined;
    return typeof method === 'function' ? (...parts) => Reflect.apply(method, provider, parts) as unknown : undefined;
  };
}
