import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

/** What packages import of the service, by the name of the import. */
const entries = {
  'content-service/plugin': 'src/plugin.ts',
  'content-service/content-api': 'src/content-api.ts',
};

/** The file that records the surface, for whoever reviews a change of it. */
export const SURFACE = 'tests/fixtures/exported-surface.txt';

/** A node of a syntax tree of Babel. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/**
 * What plugins can rely on, a block for each export in the order of the alphabet: an interface with its members, the
 * signature of a function, the members of a class. Types that are inferred are not in it.
 */
export const exportedSurface = (): string =>
  Object.entries(entries)
    .map(([name, file]) => {
      const blocks = exportsOf(file).map(({ as, type, text }) => {
        const [first = '', ...members] = describe(type, text);
        const [, own = as] = /^(?:async )?(?:function|const|interface|type|class) (\w+)/.exec(first) ?? [];
        const renamed = own === as ? '' : ` (exported as ${as})`;
        return { as, lines: [`${first}${renamed}`, ...members.map((member) => `  ${member}`)] };
      });
      const sorted = blocks.toSorted((one, other) => (one.as < other.as ? -1 : 1));
      return [`# ${name}`, ...sorted.map(({ lines }) => lines.join('\n'))].join('\n\n');
    })
    .join('\n\n\n')
    .concat('\n');

/** The names that each of them exports. */
export const exportedNames = (): readonly (readonly string[])[] =>
  Object.values(entries).map((file) => exportsOf(file).map(({ as }) => as));

interface Exported {
  readonly as: string;
  readonly type: Node;
  readonly text: string;
}

/** What a module exports, each where it is declared. */
function exportsOf(file: string): readonly Exported[] {
  const { body } = moduleOf(file);
  return body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' && isNode(node['source'])
      ? (node['specifiers'] as readonly Node[]).map((specifier) => ({
          as: nameOf(specifier['exported']),
          ...declarationOf(next(file, node['source'] as Node), nameOf(specifier['local'])),
        }))
      : [],
  );
}

function declarationOf(file: string, name: string): Pick<Exported, 'type' | 'text'> {
  const { text, body } = moduleOf(file);
  for (const node of body) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    if (isNode(node['source'])) {
      const found = (node['specifiers'] as readonly Node[]).find(({ exported }) => nameOf(exported) === name);
      if (found !== undefined) return declarationOf(next(file, node['source']), nameOf(found['local']));
      continue;
    }
    const declaration = node['declaration'] as Node;
    const declared = (declaration['declarations'] as readonly Node[] | undefined) ?? [declaration];
    const found = declared.find(({ id }) => nameOf(id) === name);
    if (found !== undefined) return { type: found, text };
  }
  throw new Error(`${file} does not export ${name}`);
}

function moduleOf(file: string): { readonly text: string; readonly body: readonly Node[] } {
  const text = readFileSync(file, 'utf8');
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  return { text, body: program.body as unknown as readonly Node[] };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nameOf = (identifier: unknown): string => String((identifier as Node)['name']);
const next = (file: string, source: Node): string =>
  path.posix.join(path.posix.dirname(file), String(source['value']).replace(/\.js$/, '.ts'));

/** A declaration as a line, and one for each of its members. */
function describe(node: Node, text: string): readonly string[] {
  const { type, start, end, body } = node;
  const until = (inner: unknown): string => plain(text.slice(start, isNode(inner) ? inner.start : end));
  switch (type) {
    case 'TSInterfaceDeclaration':
    case 'ClassDeclaration':
      return [until(body), ...membersOf(body as Node, text)];
    case 'FunctionDeclaration':
      return [until(body)];
    case 'VariableDeclarator': {
      const init = node['init'] as Node;
      const signature = init.type === 'ArrowFunctionExpression' ? init['body'] : init;
      return [`const ${until(signature).replace(/ => ?\(?$/, '')}`];
    }
    default:
      return [until(undefined)];
  }
}

const membersOf = ({ body }: Node, text: string): readonly string[] =>
  (body as readonly Node[])
    .filter(({ accessibility }) => accessibility !== 'private')
    .map(({ start, end, body: inner }) => plain(text.slice(start, isNode(inner) ? inner.start : end)));

/** In one line, without comments. */
const plain = (text: string): string =>
  text
    .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
