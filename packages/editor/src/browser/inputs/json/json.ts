import { visit } from 'jsonc-parser';

/** The line of the first mistake in a text that is to be JSON; undefined: it is. */
export function mistakenLine(text: string): number | undefined {
  const lines: number[] = [];
  const onError = (_code: unknown, _offset: number, _length: number, line: number): void => void lines.push(line + 1);
  visit(text, { onError }, { disallowComments: true });
  return lines[0];
}

interface JsonPart {
  /** Undefined: brackets, commas and spaces. */
  readonly kind: 'name' | 'string' | 'value' | undefined;
  readonly text: string;
}

/** A text, whether it is JSON yet or not, in parts of one colour. */
export function jsonParts(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  let end = 0;
  const add = (kind: JsonPart['kind'], offset: number, length: number): void => {
    if (offset > end) parts.push({ kind: undefined, text: text.slice(end, offset) });
    end = offset + length;
    if (length > 0) parts.push({ kind, text: text.slice(offset, end) });
  };
  visit(text, {
    onObjectProperty: (_name, offset, length) => add('name', offset, length),
    onLiteralValue: (value, offset, length) => add(typeof value === 'string' ? 'string' : 'value', offset, length),
  });
  add(undefined, text.length, 0);
  return parts;
}
