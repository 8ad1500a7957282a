import path from 'node:path';
import type { Registry } from '../../../content-types/model/types.js';
import { readValues } from './read-values.js';
import { parseRow, type Section } from './row.js';

export interface EntryRow {
  readonly line: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Why a row is not stored. */
export interface Failure {
  readonly file: string;
  /** Undefined for the complete file. */
  readonly line: number | undefined;
  /** The uid of the content type; empty when it is not known. */
  readonly type: string;
  /** The attribute; empty: the complete row. */
  readonly path: string;
  readonly rule: string;
}

/** Rows of one type that stand one below the other. */
export interface Batch {
  readonly file: string;
  readonly section: Section | undefined;
  readonly rows: readonly EntryRow[];
  /** Rows before or among these that could not be parsed. */
  readonly failures: readonly Failure[];
  /** The number of bytes of the file read so far. */
  readonly read: number;
}

const SIZE = 500;

/** Reads a seed file batch by batch. */
export async function* readBatches(file: string, registry: Registry): AsyncGenerator<Batch> {
  const name = path.basename(file);
  let section: Section | undefined;
  let rows: EntryRow[] = [];
  let failures: Failure[] = [];
  let read = 0;
  const take = (): Batch => {
    const batch = { file: name, section, rows, failures, read };
    [rows, failures] = [[], []];
    return batch;
  };
  const fail = (line: number, rule: string): void => {
    failures.push({ file: name, line, type: section?.type.uid ?? '', path: '', rule });
  };
  for await (const value of readValues(file)) {
    read = value.read;
    const row = parseRow(value, registry);
    if (row.kind === 'entry' && section !== undefined) rows.push(row);
    else if (row.kind === 'wrong' && !row.frame) fail(row.line, row.rule);
    else {
      if (rows.length > 0) yield take();
      section = undefined;
      if (row.kind === 'section') section = row.section;
      else {
        const rule = row.kind === 'wrong' ? row.rule : 'a file must begin with a header: {"$type": …, "$key": …}';
        fail(row.line, `${rule}; the rest of the file is skipped`);
        break;
      }
    }
    if (rows.length + failures.length >= SIZE) yield take();
  }
  yield take();
}
