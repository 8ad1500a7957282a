import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

/** A file of `src/`. */
export interface SourceFile {
  /** Below `src/`, e.g. `mongo/compile/sort.ts`. */
  readonly name: string;
  readonly text: string;
}

const SRC = path.resolve('src');

/** The names of all files below `src/`, of any kind. */
export const namesBelowSrc = (): readonly string[] =>
  readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted();

export const readSourceFiles = (): readonly SourceFile[] =>
  namesBelowSrc()
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(SRC, name), 'utf8') }));

/** What browsers run of the editor. */
export const EDITOR = 'packages/editor/src/browser';

/** Its files, with paths from the repository; styles are not among them. */
export const readEditorFiles = (): readonly SourceFile[] => readFolder(EDITOR);

const readFolder = (folder: string): readonly SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(name, 'utf8') }));

/** The files of all packages, with paths from the repository. */
export const readPackageFiles = (): readonly SourceFile[] =>
  readdirSync('packages').flatMap((name) => readFolder(`packages/${name}/src`));

/** A node of a syntax tree. */
type Node = Readonly<Record<string, unknown>> & { readonly type?: string };

/** A node and where it is: the type of its parent and the key there. */
type Visit = (node: Node, position: string) => void;

/** Parses a module; parsing all of `src/` takes seconds. */
export const parse = (text: string, tsx = false): unknown => parseSync(text, { syntax: 'typescript', tsx });

function walk(tree: unknown, visit: Visit, position = ''): void {
  if (Array.isArray(tree)) for (const element of tree as readonly unknown[]) walk(element, visit, position);
  else if (typeof tree === 'object' && tree !== null) {
    const node = tree as Node;
    visit(node, position);
    for (const key in node) walk(node[key], visit, `${node.type}.${key}`);
  }
}

/** How each kind of syntax names what it imports. */
const specifiers: Readonly<Record<string, (node: Node) => unknown>> = {
  ImportDeclaration: ({ source }) => source,
  ExportNamedDeclaration: ({ source }) => source,
  ExportAllDeclaration: ({ source }) => source,
  TsImportType: ({ argument }) => argument,
  TsExternalModuleReference: ({ expression }) => expression,
  CallExpression: (node) => {
    const callee = node['callee'] as Node;
    const loads = callee.type === 'Import' || (callee.type === 'Identifier' && callee['value'] === 'require');
    return loads ? (node['arguments'] as readonly { readonly expression: Node }[])[0]?.expression : undefined;
  },
};

/** The specifiers of all imports: static, dynamic, of types, and re-exports. Computed ones have none. */
export const importsOf = (tree: unknown): readonly string[] => importsBy(specifiers, tree);

/** The specifiers of the imports that are loaded with a module. */
export const staticImportsOf = (tree: unknown): readonly string[] =>
  importsBy({ ImportDeclaration: loaded, ExportNamedDeclaration: loaded, ExportAllDeclaration: loaded }, tree);

const loaded = ({ source, typeOnly }: Node): unknown => (typeOnly === true ? undefined : source);

function importsBy(forms: typeof specifiers, tree: unknown): readonly string[] {
  const imports = new Set<string>();
  walk(tree, (node) => {
    const specifier = forms[node.type ?? '']?.(node) as Node | null | undefined;
    if (specifier?.type === 'StringLiteral') imports.add(String(specifier['value']));
  });
  return [...imports];
}

/** Every circle of imports once, as the files on it. */
export function circlesOf(
  files: readonly { readonly name: string; readonly files: readonly string[] }[],
): readonly string[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, way: readonly string[]): void => {
    const start = way.indexOf(name);
    if (start >= 0) found.push([...way.slice(start), name].join(' -> '));
    if (start >= 0 || done.has(name)) return;
    for (const target of byName.get(name)?.files ?? []) walk(target, [...way, name]);
    done.add(name);
  };
  for (const { name } of files) walk(name, []);
  return found;
}

/** Attributes of elements that people read or hear. */
const read: ReadonlySet<string> = new Set([
  'alt',
  'aria-label',
  'label',
  'placeholder',
  'title',
  'text',
  'keep',
  'action',
]);
/** Names of keys, headers and programs are not sentences. */
const names: ReadonlySet<string> = new Set([
  'Tab',
  'Accept',
  'Authorization',
  'Bearer',
  'Content-Type',
  'If-Match',
  'Enter',
  'Escape',
  'Error',
  'NetworkError',
  'SecondFactorMissingError',
  'SecondFactorNeededError',
  'Files',
]);

/**
 * What people would read of a module of pages: text in elements, their labels, and strings that begin like a sentence.
 */
export function sentencesOf(tree: unknown): readonly string[] {
  const sentences: string[] = [];
  const ours = new Set<unknown>();
  walk(tree, (node) => {
    const { type, value, cooked } = node;
    // Mistakes of the program itself are for programmers.
    if (type === 'NewExpression') walk(node['arguments'], (inner) => void ours.add(inner));
    if (type === 'JSXAttribute' && read.has(String((node['name'] as Node)['value'])) && isString(value))
      // An empty `alt` says that an image tells nothing more.
      sentences.push(...[value.value].filter((text) => text !== ''));
    const content = type === 'TemplateElement' ? cooked : value;
    if (typeof content !== 'string' || ours.has(node) || !/[a-z]{2}/i.test(content)) return;
    const isText = type === 'StringLiteral' || type === 'TemplateElement';
    const isSentence = /^[A-Z][a-z]/.test(content) && !names.has(content.trim()) && !content.startsWith('Arrow');
    const isWord = type === 'TemplateElement' && /^ [a-z]+/.test(content);
    if (type === 'JSXText' || (isText && isSentence) || isWord) sentences.push(content);
  });
  return sentences;
}

const isString = (value: unknown): value is { readonly value: string } =>
  (value as Node | null)?.type === 'StringLiteral';
