/** A module that code loads. */
interface Import {
  /** Its name or path as it is written. */
  readonly request: string;
  /** The names that `import` gives it; empty: none, undefined: it is required. */
  readonly names: string | undefined;
  /** Where in the code the text of it ends. */
  readonly end: number;
}

/** `require('x')`, `import('x')`, `import 'x'`, `import a from 'x'`, `export … from 'x'`, but not types. */
const imports =
  /\b(?:require|import)\s*\(\s*['"`]([^'"`]+)['"`]\s*\)|\b(?:import|export)\s+(?!type\b)(?:([\w$*\s{},]+?)\s+from\s*)?['"]([^'"]+)['"]/g;

/** What code without comments loads. */
export const importsIn = (code: string): readonly Import[] =>
  [...code.matchAll(imports)].map(({ 0: text, 1: required, 2: names = '', 3: imported = '', index }) => ({
    request: required ?? imported,
    names: required === undefined ? names : undefined,
    end: index + text.length,
  }));
