/**
 * Sets variables of this process, and of those that it starts, where they have a value: variables of the shell take
 * precedence over `.env`.
 */
export function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}
