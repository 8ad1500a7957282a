import type { Environment } from '../parse-variables.js';
import { currentVariable } from './variables.js';

/**
 * The function `env` of Strapi v4's configuration files: the value of a variable, or a default when it is not set. Its
 * parts read the value as a number, a list, …, as Strapi does.
 * @param environment the variables at the start, with those of the file `.env`, for names that the process does not
 * have when they are asked for
 */
export function createEnv(environment: Environment) {
  const read =
    <T>(parse: (text: string, name: string) => T) =>
    (name: string, fallback?: T): T | undefined => {
      const text = currentVariable(name) ?? (Object.hasOwn(environment, name) ? environment[name] : undefined);
      return text === undefined ? fallback : parse(text, name);
    };
  const text = read<unknown>((value) => value);
  return Object.assign(text, {
    int: read((value) => Number.parseInt(value, 10)),
    float: read((value) => Number.parseFloat(value)),
    /** True for `true` alone. */
    bool: read((value) => value === 'true'),
    /** @throws Error if the value is not JSON */
    json: read(parseJson),
    /** `a, "b"` and `[a, b]`. */
    array: read<readonly string[]>(parseList),
    date: read((value) => new Date(value)),
    /**
     * One of several values, otherwise the default.
     * @throws Error without values, or if the default is not one of them
     */
    oneOf: (name: string, allowed: readonly unknown[] | undefined, fallback?: unknown): unknown => {
      if (allowed === undefined) throw new Error(`env.oneOf requires expectedValues`);
      if (fallback && !allowed.includes(fallback)) {
        throw new Error(`env.oneOf requires defaultValue to be included in expectedValues`);
      }
      const value = text(name, fallback);
      return allowed.includes(value) ? value : fallback;
    },
  });
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`Invalid json environment variable ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** With brackets around it, or without; quotes around its parts are left out. */
function parseList(text: string): readonly string[] {
  const list = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return list.split(',').map((part) => part.replaceAll(/^ +| +$/g, '').replaceAll(/^"+|"+$/g, ''));
}
