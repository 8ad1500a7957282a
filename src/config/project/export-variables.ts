import type { Environment } from '../parse-variables.js';

/** Puts variables of the file `.env` into the environment of the process, where an owner's code looks for them; set ones stay. */
export function exportVariables(variables: Environment): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) process.env[name] ??= value;
  }
}
