import type { Tokens } from 'marked';
import type { Table } from './document.js';

export const newTable: Table = {
  align: [null, null],
  rows: [
    ['', ''],
    ['', ''],
  ],
};

export const tableOf = ({ align, header, rows }: Tokens.Table): Table => ({
  align,
  rows: [header, ...rows].map((cells) => cells.map(({ text }) => text)),
});

const rules = { left: ':---', center: ':---:', right: '---:' } as const;

/** A table in Markdown. A backslash before a pipe means the pipe, as everywhere in a table. */
export function writeTable({ align, rows: [head = [], ...rows] }: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.trim().replaceAll(/\\*\|/g, String.raw`\|`)).join(' | ')} |`;
  const rule = `| ${align.map((side) => (side === null ? '---' : rules[side])).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export const withCell = ({ align, rows }: Table, row: number, column: number, cell: string): Table => ({
  align,
  rows: rows.with(row, (rows[row] ?? []).with(column, cell)),
});

export const withRow = ({ align, rows }: Table, row: number): Table => ({
  align,
  rows: rows.toSpliced(
    row,
    0,
    align.map(() => ''),
  ),
});

export const withColumn = ({ align, rows }: Table, column: number): Table => ({
  align: align.toSpliced(column, 0, null),
  rows: rows.map((cells) => cells.toSpliced(column, 0, '')),
});

export const withoutRow = ({ align, rows }: Table, row: number): Table => ({ align, rows: rows.toSpliced(row, 1) });

export const withoutColumn = ({ align, rows }: Table, column: number): Table => ({
  align: align.toSpliced(column, 1),
  rows: rows.map((cells) => cells.toSpliced(column, 1)),
});
