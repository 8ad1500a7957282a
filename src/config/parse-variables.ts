import { variables, type Name, type Values } from './variables.js';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys of a table are its names
const names = Object.keys(variables) as Name[];

export type Environment = Readonly<Record<string, string | undefined>>;

/** A line for the operator: which variable is wrong, and what it may be. */
export function complain(name: Name, value: string, source = ''): string {
  const { allowed, ...variable } = variables[name];
  const found = 'secret' in variable ? 'has a value that is not allowed (a secret, so not shown)' : `is "${value}"`;
  return `${name}${source} ${found}; allowed: ${allowed}`;
}

interface ParsedVariables {
  readonly values: Values;
  /** Those that have no default's value; empty ones count as not given. */
  readonly given: ReadonlySet<Name>;
  /** A line for each wrong one. */
  readonly complaints: readonly string[];
}

/** Reads every variable of the table. */
export function parseVariables(environment: Environment): ParsedVariables {
  const given = new Set(names.filter((name) => environment[name]?.trim()));
  const complaints: string[] = [];
  const parse = (name: Name): readonly [Name, unknown] => {
    const variable = variables[name];
    const text = given.has(name) ? environment[name]?.trim() : 'default' in variable ? variable.default : undefined;
    if (text === undefined) return [name, undefined];
    const value = variable.parse(text);
    if (value === undefined) complaints.push(complain(name, text));
    return [name, value];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries lose the names, the table has them all
  const values = Object.fromEntries(names.map(parse)) as unknown as Values;
  return { values, given, complaints };
}
