import type { Environment } from '../parse-variables.js';

/**
 * Sets variables of this process, and of those that it starts, where they have a value: variables of the shell take
 * precedence over `.env`.
 */
export function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}

/**
 * Exports variables of the file `.env` to the environment of the process, for the project's code; does not override
 * variables.
 */
export function exportVariables(variables: Environment): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) process.env[name] ??= value;
  }
}

/** A variable of this process as it is now: code may have loaded more, of another file or a store of secrets. */
export const currentVariable = (name: string): string | undefined => process.env[name];
