import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

/** One file of `src/`, and everything that it imports: relative ones as paths below `src/`, packages by their specifier. */
export interface SourceFile {
  /** Below `src/`, e.g. `mongo/compile/sort.ts`. */
  readonly name: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const SRC = path.resolve('src');

/** Everything that lies below `src/`, whatever it is. */
export const namesBelowSrc = (): readonly string[] =>
  readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted();

export const readSourceFiles = (): readonly SourceFile[] =>
  namesBelowSrc()
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const text = readFileSync(path.join(SRC, name), 'utf8');
      return { name, text, ...sortOut(name, importsOf(text)) };
    });

/** The specifiers of all imports: static, dynamic, of types, and re-exports. Computed ones have none. */
export function importsOf(text: string): readonly string[] {
  const found = new Set<string>();
  visit(parseSync(text, { syntax: 'typescript' }), found);
  return [...found];
}

interface Node {
  readonly type?: string;
  readonly source?: { readonly value: string } | null;
  readonly expression?: { readonly value?: string };
  readonly argument?: { readonly value?: string };
  readonly callee?: { readonly type?: string; readonly value?: string };
  readonly arguments?: readonly { readonly expression: { readonly type: string; readonly value?: string } }[];
}

/** How each kind of syntax names what it imports. */
const specifiers: Readonly<Record<string, (node: Node) => string | undefined>> = {
  ImportDeclaration: ({ source }) => source?.value,
  ExportNamedDeclaration: ({ source }) => source?.value,
  ExportAllDeclaration: ({ source }) => source?.value,
  TsImportType: ({ argument }) => argument?.value,
  TsExternalModuleReference: ({ expression }) => expression?.value,
  CallExpression: ({ callee, arguments: [first] = [] }) => {
    const loads = callee?.type === 'Import' || (callee?.type === 'Identifier' && callee.value === 'require');
    return loads && first?.expression.type === 'StringLiteral' ? first.expression.value : undefined;
  },
};

function visit(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) for (const one of node as readonly unknown[]) visit(one, found);
  else if (typeof node === 'object' && node !== null) {
    const { type } = node as Node;
    const specifier = type === undefined ? undefined : specifiers[type]?.(node);
    if (specifier !== undefined) found.add(specifier);
    for (const part of Object.values(node)) visit(part, found);
  }
}

/** The strings and parts of templates that have several words: messages, descriptions, headings. */
export function stringsOf(text: string): readonly string[] {
  const found: string[] = [];
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (typeof node === 'object' && node !== null) {
      const { type, value, cooked } = node as {
        readonly type?: string;
        readonly value?: unknown;
        readonly cooked?: unknown;
      };
      const content = type === 'StringLiteral' ? value : type === 'TemplateElement' ? cooked : undefined;
      if (typeof content === 'string' && content.includes(' ')) found.push(content);
      Object.values(node).forEach(collect);
    }
  };
  collect(parseSync(text, { syntax: 'typescript' }));
  return found;
}

/** The names of variables, parameters, functions, classes and types that a text declares. */
export function declaredNamesIn(text: string): readonly string[] {
  const found: string[] = [];
  const collect = (node: unknown, place: string): void => {
    if (Array.isArray(node)) for (const element of node as readonly unknown[]) collect(element, place);
    else if (typeof node === 'object' && node !== null) {
      const { type, value } = node as { readonly type?: string; readonly value?: unknown };
      // The parser marks patterns by a place for their type; declarations have their name under one of two keys.
      const isPattern = 'typeAnnotation' in node;
      if (type === 'Identifier' && (isPattern || declarations.has(place))) found.push(String(value));
      for (const [key, part] of Object.entries(node)) collect(part, `${type}.${key}`);
    }
  };
  collect(parseSync(text, { syntax: 'typescript' }), '');
  return found;
}

const declarations = new Set([
  'FunctionDeclaration.identifier',
  'ClassDeclaration.identifier',
  'TsInterfaceDeclaration.id',
  'TsTypeAliasDeclaration.id',
]);

function sortOut(name: string, imports: readonly string[]): Pick<SourceFile, 'files' | 'packages'> {
  const relative = imports.filter((one) => one.startsWith('.'));
  const resolve = (one: string): string => path.posix.join(path.posix.dirname(name), one).replace(/\.js$/, '.ts');
  return { files: relative.map(resolve), packages: imports.filter((one) => !one.startsWith('.')) };
}
