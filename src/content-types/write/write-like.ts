import type * as Jsonc from 'jsonc-parser';
import { lazyRequire } from '../../config/lazy-require.js';
import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';

const jsonc = lazyRequire<typeof Jsonc>('jsonc-parser');

/**
 * A value as JSON, written like an earlier text of it: what is equal there keeps its form, so that the two differ as
 * little as the values do.
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
  const root = jsonc().parseTree(text) as Jsonc.Node;
  refuseRepeatedNames(root);
  return text.slice(0, root.offset) + print(value, root, '', style) + text.slice(root.offset + root.length);
}

interface Style {
  readonly text: string;
  /** The indentation of one level. */
  readonly unit: string;
  readonly newline: string;
}

function print(value: unknown, old: Jsonc.Node | undefined, indent: string, style: Style): string {
  const { text, unit, newline } = style;
  const former = old && text.slice(old.offset, old.offset + old.length);
  // As JSON, so that members in another order are a difference.
  if (former !== undefined && JSON.stringify(value) === JSON.stringify(JSON.parse(former))) return former;
  const isInline = former !== undefined && !former.includes('\n') && /^[{[]./.test(former);
  if (Array.isArray(value) && isInline) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  if (!isRecord(value) || old?.type !== 'object' || old.children?.length === 0) {
    return JSON.stringify(value, null, unit).replaceAll('\n', newline + indent);
  }
  const inner = indent + unit;
  // What is new on a line stays on it.
  const innerStyle = isInline ? { ...style, unit: '' } : style;
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${JSON.stringify(name)}: ${print(member, jsonc().findNodeAtLocation(old, [name]), inner, innerStyle)}`,
  );
  if (isInline) return `{ ${members.join(', ')} }`;
  return `{${newline}${inner}${members.join(`,${newline}${inner}`)}${newline}${indent}}`;
}

/** @throws AppError badRequest */
function refuseRepeatedNames({ type, children = [] }: Jsonc.Node): void {
  const names = type === 'object' ? children.map((property) => String(property.children?.[0]?.value)) : [];
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new AppError('badRequest', `A file has "${repeated}" twice in the same object: change it by hand`);
  for (const child of children) refuseRepeatedNames(child);
}
