import { withoutComments } from './without-comments.js';

/** An environment variable that code reads by its name. */
export interface ReadVariable {
  readonly name: string;
  readonly line: number;
  /** The part of `env` that reads it: `int` of `env.int`. */
  readonly kind?: string | undefined;
  /** `env('NAME', 'default')`. */
  readonly hasDefault: boolean;
}

/**
 * `env('NAME'`, `env.int('NAME'`, with what follows; `process.env.NAME` and `process.env['NAME']`, unless it is set.
 */
const reads =
  /\benv(?:\.(\w+))?\(\s*['"`](\w+)['"`]\s*(,?)|\bprocess\.env(?:\??\.([A-Za-z_]\w*)\b|\[\s*['"`](\w+)['"`]\s*\])(?!\s*(?:\?\?|\|\|)?=(?!=))/g;
/** `const { NAME, OTHER: name = 'default' } = process.env`. */
const destructured = /\{([^{}]*)\}\s*=\s*process\.env\b(?!\s*[.[])/g;

/** The variables that a source text of JavaScript or TypeScript reads by name, in the order of their lines. */
export function findVariables(source: string): readonly ReadVariable[] {
  const code = withoutComments(source);
  const lineAt = (index: number): number => code.slice(0, index).split('\n').length;
  const named = [...code.matchAll(reads)].map((match): ReadVariable => {
    const [, kind, called = '', comma, member, key] = match;
    return { name: member ?? key ?? called, kind, line: lineAt(match.index), hasDefault: comma === ',' };
  });
  const parts = [...code.matchAll(destructured)].flatMap(({ 1: list = '', index }) =>
    list.split(',').flatMap((part): ReadVariable[] => {
      const [, name] = /^\s*(\w+)\s*(?:$|[:=])/.exec(part) ?? [];
      return name === undefined ? [] : [{ name, line: lineAt(index), hasDefault: part.includes('=') }];
    }),
  );
  return [...named, ...parts].toSorted((variable, other) => variable.line - other.line);
}
