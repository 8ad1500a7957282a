import { Lexer, type Token } from 'marked';

/** The text of a block, as Strapi stores it: with marks, or with a link around it. */
export type Inline = TextNode | { readonly type: 'link'; readonly url: string; readonly children: readonly TextNode[] };

type Mark = 'bold' | 'italic' | 'strikethrough' | 'code';
type TextNode = { readonly type: 'text'; readonly text: string } & { readonly [M in Mark]?: true };

const marks: readonly Mark[] = ['bold', 'italic', 'strikethrough', 'code'];
const signs: Readonly<Record<Mark, string>> = { bold: '**', italic: '_', strikethrough: '~~', code: '`' };
const ofTokens: Readonly<Record<string, Mark>> = { strong: 'bold', em: 'italic', del: 'strikethrough' };

/** The Markdown of these nodes; undefined if it does not stand for exactly them, e.g. if some are underlined. */
export function toMarkdown(children: unknown): string | undefined {
  if (!Array.isArray(children) || !children.every(isInline)) return undefined;
  const markdown = children.map(format).join('');
  return canonical(join(fromMarkdown(markdown))) === canonical(join(children)) ? markdown : undefined;
}

/** The text that Markdown stands for; HTML and images in it are plain text. */
export function fromMarkdown(markdown: string): readonly Inline[] {
  const nodes = join(Lexer.lexInline(markdown, { gfm: true }).flatMap((token) => read(token, {})));
  return nodes.length === 0 ? [{ type: 'text', text: '' }] : nodes;
}

type Marks = { readonly [M in Mark]?: true };

function read(token: Token, around: Marks): readonly Inline[] {
  const text = (content: string, own: Marks = around): readonly Inline[] => [{ type: 'text', text: content, ...own }];
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
  const mark = ofTokens[token.type];
  if (mark !== undefined) return inner.flatMap((child) => read(child, { ...around, [mark]: true }));
  if (token.type === 'codespan') return text(String(token['text']), { ...around, code: true });
  if (token.type === 'br') return text('\n');
  if (token.type === 'link') {
    const children = join(inner.flatMap((child) => read(child, around))).filter((node) => node.type === 'text');
    return [{ type: 'link', url: String(token['href']), children }];
  }
  if (token.type === 'escape' || (token.type === 'text' && inner.length === 0)) return text(String(token['text']));
  if (token.type === 'text') return inner.flatMap((child) => read(child, around));
  return text(token.raw);
}

/** Neighbours with the same marks are one. Strapi's editor puts empty texts around links, which mean nothing. */
function join(nodes: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const isSame = (mark: Mark): boolean =>
      last?.type === 'text' && node.type === 'text' && (last[mark] === true) === (node[mark] === true);
    if (node.type === 'text' && node.text === '') continue;
    if (last?.type === 'text' && node.type === 'text' && marks.every(isSame))
      joined[joined.length - 1] = { ...last, text: last.text + node.text };
    else joined.push(node);
  }
  return joined;
}

function format(node: Inline): string {
  if (node.type === 'link') return `[${node.children.map(format).join('')}](<${node.url}>)`;
  const plain = node.code === true ? node.text : node.text.replaceAll(/[\\`*_~[\]<>&]/g, String.raw`\$&`);
  return marks
    .toReversed()
    .reduce((text, mark) => (node[mark] === true ? signs[mark] + text + signs[mark] : text), plain);
}

/** Without marks that are off, and in one order of the keys. */
const canonical = (nodes: readonly Inline[]): string =>
  JSON.stringify(
    nodes.map((node) =>
      node.type === 'link'
        ? [node.url, canonical(node.children)]
        : [node.text, marks.map((mark) => node[mark] === true)],
    ),
  );

/** Nodes with anything else could not be written back. */
function isInline(node: unknown): node is Inline {
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  const { type, ...rest } = node as Readonly<Record<string, unknown>>;
  if (type === 'link') {
    const { url, children, ...others } = rest;
    const isText = (child: unknown): boolean => isInline(child) && child.type === 'text';
    return typeof url === 'string' && Array.isArray(children) && children.every(isText) && !Object.keys(others).length;
  }
  const { text, ...own } = rest;
  const areMarks = Object.entries(own).every(
    ([name, value]) => value === false || (value === true && (marks as readonly string[]).includes(name)),
  );
  return type === 'text' && typeof text === 'string' && areMarks;
}
