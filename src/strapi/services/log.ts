import { inspect } from 'node:util';
import type { Logger } from '../../errors/logger.js';
import type { StrapiLog } from '../strapi.js';

type Levels = Logger & { readonly debug?: (message: string) => void };

const text = (parts: readonly unknown[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : inspect(part, { depth: 4 }))).join(' ');

/** `strapi.log`: writes to the log of the service. Errors are logged completely. */
export function createLog(log: Levels): StrapiLog {
  const debug = (...parts: unknown[]): void => log.debug?.(text(parts));
  return {
    debug,
    http: debug,
    verbose: debug,
    silly: debug,
    info: (...parts) => log.info(text(parts)),
    warn: (...parts) => log.warn(text(parts)),
    error: (...parts) => {
      const [error] = parts;
      if (error instanceof Error) log.error({ err: error }, text([error.message, ...parts.slice(1)]));
      else log.error(text(parts));
    },
  };
}
