import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import { skip } from '../load/locate-json-error.js';

/** A value in a JSON text, with its place there. */
interface Node {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** Of an object. */
  readonly members: ReadonlyMap<string, Node>;
}

const SPACE = /[\s\uFEFF]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^\s,\]}]+/y;

/**
 * A value as JSON, written like an earlier text of it: what is equal there keeps its form, so that the two differ as little as the values do.
 * @param text valid JSON; undefined: there is none, and the value is written as Strapi v4 does
 * @throws AppError badRequest if an object of the text has a name twice, e.g. for comments: one of them would be lost
 */
export function writeLike(text: string | undefined, value: unknown): string {
  if (text === undefined) return `${JSON.stringify(value, null, 2)}\n`;
  const style = {
    text,
    unit: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ',
    newline: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const root = parse(text, 0);
  return text.slice(0, root.start) + print(value, root, '', style) + text.slice(root.end);
}

interface Style {
  readonly text: string;
  /** The indentation of one level. */
  readonly unit: string;
  readonly newline: string;
}

function print(value: unknown, old: Node | undefined, indent: string, style: Style): string {
  const { text, unit, newline } = style;
  const former = old && text.slice(old.start, old.end);
  if (former !== undefined && isDeepStrictEqual(value, old?.value)) return former;
  const isInline = former !== undefined && !former.includes('\n') && /^[{[]./.test(former);
  if (Array.isArray(value) && isInline) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  if (!isRecord(value) || old === undefined || old.members.size === 0) {
    return JSON.stringify(value, null, unit).replaceAll('\n', newline + indent);
  }
  const inner = indent + unit;
  // What is new on a line stays on it.
  const innerStyle = isInline ? { ...style, unit: '' } : style;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${print(member, old.members.get(name), inner, innerStyle)}`,
  );
  if (isInline) return `{ ${members.join(', ')} }`;
  return `{${newline}${inner}${members.join(`,${newline}${inner}`)}${newline}${indent}}`;
}

function parse(text: string, from: number): Node {
  const start = skip(SPACE, text, from);
  const members = new Map<string, Node>();
  let end = start + 1;
  if (text[start] === '{' || text[start] === '[') {
    const close = text[start] === '{' ? '}' : ']';
    for (end = skip(SPACE, text, end); text[end] !== close; end = skip(SPACE, text, end)) {
      if (text[end] === ',') end = skip(SPACE, text, end + 1);
      const name = close === '}' ? skip(STRING, text, end) : end;
      const member = parse(text, close === '}' ? skip(SPACE, text, name) + 1 : end);
      if (close === '}') add(members, JSON.parse(text.slice(end, name)) as string, member);
      end = member.end;
    }
    end += 1;
  } else end = skip(text[start] === '"' ? STRING : PLAIN, text, start);
  return { value: JSON.parse(text.slice(start, end)), start, end, members };
}

function add(members: Map<string, Node>, name: string, member: Node): void {
  if (members.has(name))
    throw new AppError('badRequest', `A file has "${name}" twice in the same object: change it by hand`);
  members.set(name, member);
}
