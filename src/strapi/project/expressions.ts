import { parse, type ParserOptions } from '@babel/parser';
import lodash from 'lodash';
import { known, reachedParts, type KnownValue } from './reached-parts.js';
import { childrenOf, isNode, nodesOf, textOf, type Node } from './syntax-tree.js';

/**
 * One step to a value: an identifier or the module that it stands for, a member, or what a call returns:
 * `service('upload')`.
 */
export interface Step {
  readonly name: string;
  /** The first argument of a call, if it is a plain text. */
  readonly argument?: string | undefined;
  readonly isCalled: boolean;
  /** The line on which it ends. */
  readonly line: number;
}

/** An expression as the steps to its value, from an identifier on: `strapi.plugins['upload']`. */
export interface Chain {
  readonly steps: readonly Step[];
  /** A value is assigned to the last step. */
  readonly isAssigned: boolean;
  /** The last step is a name in braces: `const { upload } = strapi.plugins`. */
  readonly isDestructured: boolean;
  /** It is in a `try` whose `catch` throws nothing. */
  readonly isCaught: boolean;
}

/** A module that code imports, and of which it uses a value: TypeScript leaves out the others. */
export interface Imported {
  readonly request: string;
  readonly line: number;
}

interface Expressions {
  readonly chains: readonly Chain[];
  readonly imported: readonly Imported[];
}

const tolerant: ParserOptions = {
  sourceType: 'unambiguous',
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  errorRecovery: true,
};

/** Its elements look like type assertions, so a source has one or the other. */
const syntaxes: readonly NonNullable<ParserOptions['plugins']>[] = [
  ['typescript', 'decorators-legacy'],
  ['typescript', 'decorators-legacy', 'jsx'],
];

/**
 * The chains of a source in JavaScript or TypeScript, and what it imports. A source that cannot be parsed has none: it
 * cannot be loaded either, which is reported then.
 * @param valueOf the value of steps that is known before the code runs: what it leads past is left out
 */
export function expressionsOf(
  source: string,
  valueOf: (steps: readonly Step[]) => string | undefined = () => undefined,
): Expressions {
  const chains: Chain[] = [];
  const imported: Imported[] = [];
  const aliases = new Map<string, string>();
  /** The values of which names in braces are chains of their own. */
  const unpacked = new Set<Node>();
  /** The value of an expression where these names have a value. */
  const evaluate =
    (values: Values) =>
    (node: Node): KnownValue =>
      values.get(nameOf(node) ?? '') ?? (chainTypes.has(node.type) ? valueOf(stepsOf(node, aliases)) : undefined);
  const remember = ({ id, init }: Node, values: Values): void => {
    if (!isNode(id) || !isNode(init)) return;
    const steps = chainTypes.has(init.type) ? stepsOf(init, aliases) : [];
    const own = nameOf(id);
    if (own !== undefined) values.set(own, known(init, evaluate(values)));
    for (const { key, value } of nodesOf(id['properties'])) {
      const [name, local] = [key, value].map((node) => (isNode(node) ? nameOf(node) : undefined));
      const { line } = id.loc.end;
      if (name !== undefined && local !== undefined)
        values.set(local, valueOf([...steps, { name, isCalled: false, line }]));
    }
  };
  const visit = (node: Node, around: Around, isAssigned = false): void => {
    const { isCaught } = around;
    if (node.type === 'Identifier') return;
    if (chainTypes.has(node.type)) {
      const steps = stepsOf(node, aliases);
      if (!unpacked.has(node)) chains.push({ steps, isAssigned, isDestructured: false, isCaught });
      const [first] = steps;
      if (first !== undefined && isRequire(first)) imported.push({ request: first.argument, line: first.line });
      for (const inner of innerNodes(node)) visit(inner, around);
      return;
    }
    const [pattern, value] = assignmentOf(node);
    if (isNode(pattern) && isNode(value)) {
      const steps = stepsOf(value, aliases);
      for (const names of namesIn(pattern)) {
        chains.push({ steps: [...steps, ...names], isAssigned: false, isDestructured: true, isCaught });
        unpacked.add(value);
      }
      const [only, ...others] = steps;
      if (pattern.type === 'Identifier' && others.length === 0 && only !== undefined && isRequire(only))
        aliases.set(String(pattern['name']), only.argument);
    }
    if (node['kind'] === 'const') for (const one of nodesOf(node['declarations'])) remember(one, around.values);
    if (node.type === 'ImportDeclaration') readImport(node, { chains, imported, aliases, isValue });
    const target = node.type === 'AssignmentExpression' && node['operator'] === '=' ? node['left'] : undefined;
    const values = hasScope.test(node.type) ? valuesWithin(node, around.values) : around.values;
    for (const child of reachedParts(node, evaluate(values)))
      visit(child, { isCaught: catches(node, child) ?? isCaught, values }, child === target);
  };
  const tree = parseTolerantly(source);
  const values = lodash.once(() => new Set(tree === undefined ? [] : valueNames(tree)));
  const isValue = (name: string): boolean => values().has(name);
  if (tree !== undefined) visit(tree, { isCaught: false, values: new Map() });
  return { chains, imported };
}

/** The values of names, as far as they are known. */
type Values = Map<string, KnownValue>;

/** What is around a part of a source. */
interface Around {
  /** It is in a `try` whose `catch` throws nothing. */
  readonly isCaught: boolean;
  readonly values: Values;
}

const hasScope = /Function|Method|BlockStatement/;

/** The values within a function or a block, whose names are its own: what is assigned to a parameter is not known. */
function valuesWithin({ params }: Node, around: Values): Values {
  const values = new Map(around);
  const hide = (node: Node): void => {
    values.delete(nameOf(node) ?? '');
    childrenOf(node).forEach(hide);
  };
  nodesOf(params).forEach(hide);
  return values;
}

/** The name of an identifier; undefined: it is none. */
const nameOf = (node: Node): string | undefined => (node.type === 'Identifier' ? String(node['name']) : undefined);

function parseTolerantly(source: string): Node | undefined {
  for (const plugins of syntaxes) {
    try {
      return parse(source, { ...tolerant, plugins }).program as unknown as Node;
    } catch {
      // Of the other syntax, or of none.
    }
  }
  return undefined;
}

/** Whether what a part throws is caught there; undefined: as around it. A function runs elsewhere. */
function catches(node: Node, part: Node): boolean | undefined {
  if (/Function|Method/.test(node.type)) return false;
  const { handler, block } = node;
  return isNode(handler) && part === block && !throws(handler) ? true : undefined;
}

const throws = (node: Node): boolean => node.type === 'ThrowStatement' || childrenOf(node).some(throws);

/** The kinds of expressions that are steps. */
const chainTypes: ReadonlySet<string> = new Set([
  'Identifier',
  'MemberExpression',
  'OptionalMemberExpression',
  'CallExpression',
  'OptionalCallExpression',
]);

/** The steps to the value of an expression; the first has no name if it is neither an identifier nor an import. */
function stepsOf(node: Node, aliases: ReadonlyMap<string, string>): readonly Step[] {
  const { line } = node.loc.end;
  const { object, property, callee } = node;
  if (node.type === 'Identifier') {
    const name = String(node['name']);
    return [{ name: aliases.get(name) ?? name, isCalled: false, line }];
  }
  if (isNode(object) && isNode(property)) {
    const name = node['computed'] === true ? textOf(property) : property['name'];
    return [...stepsOf(object, aliases), { name: typeof name === 'string' ? name : '', isCalled: false, line }];
  }
  if (chainTypes.has(node.type) && isNode(callee)) {
    const steps = stepsOf(callee, aliases);
    const [first] = node['arguments'] as readonly unknown[];
    const called = { name: '', line, ...steps.at(-1), argument: isNode(first) ? textOf(first) : undefined };
    return [...steps.slice(0, -1), { ...called, isCalled: true }];
  }
  // `strapi!`, `(strapi as any)`
  const { expression } = node;
  return isNode(expression) ? stepsOf(expression, aliases) : [{ name: '', isCalled: false, line }];
}

/** The nodes within a chain that are no steps: arguments, computed names, and what the chain begins with. */
function innerNodes(node: Node): readonly Node[] {
  const { object, property, callee } = node;
  const before = isNode(object) ? object : isNode(callee) ? callee : undefined;
  const own = node['computed'] === true && isNode(property) ? [property] : [];
  const given = before === callee && before !== undefined ? childrenOf(node).filter((child) => child !== callee) : own;
  if (before === undefined) return given;
  return [...given, ...(chainTypes.has(before.type) ? innerNodes(before) : [before])];
}

/** What a declaration or an assignment gives a value to, and the value. */
const assignmentOf = (node: Node): readonly [unknown, unknown] =>
  node.type === 'VariableDeclarator' ? [node['id'], node['init']] : [node['left'], node['right']];

/** The names in braces as steps; those of braces within braces too. */
function namesIn(pattern: Node): readonly (readonly Step[])[] {
  if (pattern.type !== 'ObjectPattern') return [];
  return (pattern['properties'] as readonly Node[]).flatMap(({ key, computed, value }) => {
    if (!isNode(key)) return [];
    const name = computed === true || key.type !== 'Identifier' ? textOf(key) : String(key['name']);
    if (name === undefined) return [];
    const step = { name, isCalled: false, line: key.loc.end.line };
    return [[step], ...(isNode(value) ? namesIn(value).map((below) => [step, ...below]) : [])];
  });
}

/** Whether it is `require('…')`. */
export const isRequire = (step: Step): step is Step & { readonly argument: string } =>
  step.name === 'require' && step.argument !== undefined;

interface Reading {
  readonly chains: Chain[];
  readonly imported: Imported[];
  readonly aliases: Map<string, string>;
  /** Whether a name is used for more than types. */
  readonly isValue: (name: string) => boolean;
}

/** Nodes of TypeScript that only name types. */
const ofTypes = /^TS(?:Type(?!Assertion)|Interface|ExpressionWith|ClassImplements|Qualified)/;

/** The identifiers of a source outside of its types and imports. */
function valueNames(node: Node): readonly string[] {
  if (node.type === 'ImportDeclaration' || ofTypes.test(node.type)) return [];
  const own = nameOf(node);
  return [...(own === undefined ? [] : [own]), ...childrenOf(node).flatMap(valueNames)];
}

/** Reads `import a, { b } from 'c'` like `const a = require('c'); const { b } = require('c')`. */
function readImport(node: Node, { chains, imported, aliases, isValue }: Reading): void {
  const { source, importKind } = node;
  const request = isNode(source) ? textOf(source) : undefined;
  if (importKind === 'type' || request === undefined) return;
  const { line } = node.loc.end;
  const module = { name: request, isCalled: false, line };
  const specifiers = nodesOf(node['specifiers']);
  const locals = specifiers.filter(({ importKind: kind }) => kind !== 'type').flatMap(({ local }) => nodesOf(local));
  if (specifiers.length === 0 || locals.some((local) => isValue(nameOf(local) ?? ''))) imported.push({ request, line });
  for (const specifier of specifiers) {
    const { imported: key, local } = specifier;
    if (isNode(key)) {
      const name = textOf(key) ?? String(key['name']);
      chains.push({
        steps: [module, { name, isCalled: false, line: key.loc.end.line }],
        isAssigned: false,
        isDestructured: true,
        isCaught: false,
      });
    } else if (isNode(local)) aliases.set(String(local['name']), request);
  }
}
