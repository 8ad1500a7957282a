import { variables, type Name, type Values } from './variables.js';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys of a table are its names
const names = Object.keys(variables) as Name[];

export type Environment = Readonly<Record<string, string | undefined>>;

/** The message about an invalid variable, with its name and the allowed values. */
export function complain(name: Name, value: string, source = ''): string {
  const { allowed, ...variable } = variables[name];
  const description =
    'secret' in variable ? 'has a value that is not allowed (a secret, so not shown)' : `is "${value}"`;
  return `${name}${source} ${description}; allowed: ${allowed}`;
}

/**
 * Parses every variable of the table: the values, the variables that are set and not empty, and a line for each invalid
 * value.
 */
export function parseVariables(environment: Environment) {
  const texts = new Map<Name, string>();
  for (const name of names) {
    const text = environment[name]?.trim();
    if (text) texts.set(name, text);
  }
  const complaints: string[] = [];
  const parse = (name: Name): readonly [Name, unknown] => {
    const variable = variables[name];
    const text = texts.get(name) ?? ('default' in variable ? variable.default : undefined);
    if (text === undefined) return [name, undefined];
    const value = variable.parse(text);
    if (value === undefined) complaints.push(complain(name, text));
    return [name, value];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries lose the names, the table has them all
  const values = Object.fromEntries(names.map(parse)) as unknown as Values;
  return { values, definedNames: new Set(texts.keys()), complaints };
}
