import type { Token } from 'marked';
import { isText, type ElementNode, type Mark, type TextNode } from './document.js';

type Inline = ElementNode | TextNode;
type Marks = { readonly [M in Mark]?: boolean };

const ofTokens = new Map<string, Mark>([
  ['strong', 'bold'],
  ['em', 'italic'],
  ['del', 'strikethrough'],
]);

/** What Markdown in a line stands for. What cannot be edited is text that is kept as it stands. */
export function readInline(tokens: readonly Token[] = []): Inline[] {
  const nodes = join(tokens.flatMap((token) => read(token, {})));
  return nodes.length === 0 ? [{ type: 'text', text: '' }] : nodes;
}

function read(token: Token, around: Marks): readonly Inline[] {
  const text = (content: string, own: object = around): readonly Inline[] => [{ type: 'text', text: content, ...own }];
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
  const mark = ofTokens.get(token.type);
  if (mark !== undefined) return inner.flatMap((child) => read(child, { ...around, [mark]: true }));
  if (token.type === 'codespan') return text(String(token['text']), { ...around, code: true });
  if (token.type === 'br') return text('\n');
  if (token.type === 'escape' || (token.type === 'text' && inner.length === 0)) return text(String(token['text']));
  if (token.type === 'text') return inner.flatMap((child) => read(child, around));
  if (token.type === 'link') {
    // Whoever reads an address in a text makes a link of it.
    if (token.raw === token['text']) return text(token.raw);
    const children = join(inner.flatMap((child) => read(child, around))).filter(isText);
    const title = token['title'] == null ? {} : { title: String(token['title']) };
    if (children.length > 0) return [{ type: 'link', url: String(token['href']), ...title, children }];
  }
  return text(token.raw, { ...around, source: true });
}

/** Neighbours with the same marks are one. Strapi's editor puts empty texts around links, which mean nothing. */
function join(nodes: readonly Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (isText(node) && node.text === '') continue;
    if (last !== undefined && isText(last) && isText(node) && isAlike(last, node))
      joined[joined.length - 1] = { ...last, text: last.text + node.text };
    else joined.push(node);
  }
  return joined;
}

const compared = ['bold', 'italic', 'strikethrough', 'code', 'source'] as const;
const isAlike = (one: TextNode, other: TextNode): boolean =>
  compared.every((name) => (one[name] === true) === (other[name] === true));

/** How text is written: there are several ways, and the first that is read back as it was is the best. */
export interface Style {
  readonly italic: '_' | '*';
  /** Signs that could be Markdown are escaped. */
  readonly escaped: boolean;
  readonly lineBreak: string;
  /** Signs at the ends of what is marked are not marked. */
  readonly signsOutside?: boolean;
}

/** The Markdown of a line. */
export function writeInline(children: readonly Inline[], style: Style): string {
  const signs = new Map<Mark, string>([
    ['bold', '**'],
    ['italic', style.italic],
    ['strikethrough', '~~'],
  ]);
  let written = '';
  let open: readonly Mark[] = [];
  const [before, after] = style.signsOutside === true ? [/^[\s\p{P}]*/u, /[\s\p{P}]*$/u] : [/^\s*/, /\s*$/];
  /** Closes and opens marks; white space stays outside of them. */
  const change = (wanted: readonly Mark[], next: string): string => {
    const kept = open.findIndex((mark) => !wanted.includes(mark));
    const ended = kept === -1 ? [] : open.slice(kept);
    if (ended.length > 0) {
      const space = after.exec(written)?.[0] ?? '';
      const closing = ended.toReversed().map((mark) => signs.get(mark));
      written = written.slice(0, written.length - space.length) + closing.join('') + space;
      open = open.slice(0, kept);
    }
    const started = wanted.filter((mark) => !open.includes(mark));
    const space = started.length === 0 ? '' : (before.exec(next)?.[0] ?? '');
    written += space + started.map((mark) => signs.get(mark)).join('');
    open = [...open, ...started];
    return next.slice(space.length);
  };
  for (const node of join(children)) {
    if (isText(node)) {
      // Marks around nothing but space would be signs.
      const wanted =
        node.text.trim() === '' ? open.filter((mark) => node[mark]) : [...signs.keys()].filter((mark) => node[mark]);
      const content = change(wanted, node.text);
      written += writeText({ ...node, text: content }, style);
    } else {
      change([], '');
      written += writeLink(node, style);
    }
  }
  change([], '');
  return written;
}

function writeLink({ url = '', title, children }: ElementNode, style: Style): string {
  const plain = children.map((child) => (isText(child) ? child.text : '')).join('');
  const isMarked = children.some((child) => !isText(child) || compared.some((mark) => child[mark] === true));
  const isAddress = /^(?:https?:|mailto:)[^\s<>]+$/.test(url) && plain === url.replace(/^mailto:/, '');
  if (isAddress && !isMarked && title === undefined) return `<${plain}>`;
  return `[${writeInline(children, style)}](${writeAddress(url, title)})`;
}

/** What is in the parentheses of a link or an image. */
export function writeAddress(url: string, title: string | null | undefined): string {
  const address = /^[^\s()<>]+$/.test(url) ? url : `<${url.replaceAll(/[<>\n]/g, encodeURIComponent)}>`;
  return title ? `${address} "${title.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')}"` : address;
}

function writeText({ text, code, source }: TextNode, { escaped, lineBreak }: Style): string {
  if (source === true) return text;
  if (code === true) {
    const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    return longest === 0 ? fence + text + fence : `${fence} ${text} ${fence}`;
  }
  const plain = escaped ? text.replaceAll(/[\\`*_~[\]<>|#]/g, String.raw`\$&`) : text;
  return plain.replaceAll('\n', lineBreak);
}
