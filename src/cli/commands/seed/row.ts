import path from 'node:path';
import { isRecord, type Data } from '../../../config/record.js';
import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import { suggestion } from '../../../errors/nearest-name.js';
import type { ContentType, Registry, ScalarAttribute } from '../../../content-types/model/types.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { readValues, type SeedValue } from './read-values.js';

/** Says of which type the rows below are, and by which attribute one is known; a single type needs none. */
export interface Section {
  readonly type: ContentType;
  readonly key: ScalarAttribute | undefined;
}

/** The content type of files, and its key in a seed. */
export const images = { uid: 'plugin::upload.file', key: 'name' } as const;

/** A row, and the bytes of the file that are read by now. */
export type SeedRow = { readonly read: number } & ParsedRow;

type ParsedRow =
  | { readonly kind: 'section'; readonly line: number; readonly section: Section }
  | { readonly kind: 'entry'; readonly line: number; readonly data: Data }
  /** `frame`: an invalid header or none, so the rows below it have no type. */
  | { readonly kind: 'wrong'; readonly line: number; readonly rule: string; readonly frame: boolean };

/** The rows of a seed file, up to the first that leaves those below it without a type. */
export async function* readRows(file: string, registry: Registry): AsyncGenerator<SeedRow> {
  let hasHeader = false;
  for await (const value of readValues(file)) {
    const parsed = parseRow(value, registry);
    const row: ParsedRow = parsed.kind === 'entry' && !hasHeader ? withoutHeader(parsed.line) : parsed;
    yield { ...row, read: value.read };
    if (row.kind === 'wrong' && row.frame) return;
    hasHeader ||= row.kind === 'section';
  }
}

const withoutHeader = (line: number): ParsedRow => ({
  kind: 'wrong',
  line,
  rule: 'a file must begin with a header: {"$type": …, "$key": …}',
  frame: true,
});

/** Parses one value of a seed file. */
export function parseRow(read: SeedValue, { contentTypes }: Registry): ParsedRow {
  if (read.kind === 'wrong') return read;
  const { line, value: content } = read;
  if (!isRecord(content)) return { kind: 'wrong', line, rule: 'must be an object in braces', frame: false };
  if (content['$type'] === undefined) return { kind: 'entry', line, data: content };
  const section = parseHeading(content, contentTypes);
  return typeof section === 'string'
    ? { kind: 'wrong', line, rule: section, frame: true }
    : { kind: 'section', line, section };
}

function parseHeading({ $type, $key, ...otherKeys }: Data, contentTypes: Registry['contentTypes']): Section | string {
  const [unknown] = Object.keys(otherKeys);
  if (unknown !== undefined) return `${unknown} is not allowed in a header; allowed: $type and $key`;
  const type = contentTypes.get(String($type));
  if (type === undefined)
    return `$type names an unknown content type "${String($type)}"${suggestion(String($type), owned(contentTypes))}`;
  if (type.kind === 'singleType') return { type, key: undefined };
  const key = keyAttribute(type, String($key));
  if (key !== undefined) return { type, key };
  const keys = keysOf(type);
  const allowed = keys.length === 0 ? 'none yet: give one of them "unique": true' : keys.join(', ');
  return `$key must name an attribute of ${type.uid} that is unique; allowed: ${allowed}`;
}

/** The project's own types, the most likely ones. */
const owned = (contentTypes: Registry['contentTypes']): readonly string[] =>
  [...contentTypes.keys()].filter((uid) => uid.startsWith('api::'));

/** The attribute of this name, if its values identify the entries of the type. */
function keyAttribute({ attributes }: ContentType, name: string): ScalarAttribute | undefined {
  const attribute = attributes.get(name);
  return attribute?.kind === 'scalar' && isUnique(attribute) && attributeTypes[attribute.type].key
    ? attribute
    : undefined;
}

/** All such attributes. */
export const keysOf = (type: ContentType): readonly string[] =>
  [...type.attributes.keys()].filter((name) => keyAttribute(type, name) !== undefined);

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
  for await (const row of readRows(file, registry)) {
    read = row.read;
    if (row.kind === 'entry') rows.push(row);
    else if (row.kind === 'wrong' && !row.frame) fail(row.line, row.rule);
    else {
      if (rows.length > 0) yield take();
      section = row.kind === 'section' ? row.section : undefined;
      if (row.kind === 'wrong') fail(row.line, `${row.rule}; the rest of the file is skipped`);
    }
    if (rows.length + failures.length >= SIZE) yield take();
  }
  yield take();
}
