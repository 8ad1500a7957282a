import type { Environment } from '../parse-variables.js';

/**
 * Exports variables of the file `.env` to the environment of the process, for the project's code; does not override
 * variables.
 */
export function exportVariables(variables: Environment): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) process.env[name] ??= value;
  }
}
