import { createCipheriv, scryptSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { corpus } from '../../../support/service.js';

type Row = Readonly<Record<string, unknown>>;

export interface ArchiveRows {
  readonly entities?: readonly Row[];
  readonly links?: readonly Row[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Contents by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Changes the schemas of the corpus's content types, which are in it otherwise. */
  readonly schema?: (schema: Row) => Row;
  /** A raw line among the entities. */
  readonly raw?: string;
}

/** The corpus's content types and components as an archive holds them. */
export const corpusSchemas = (): readonly Row[] =>
  (readdirSync(corpus, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const parts = name.replace(/\.json$/, '').split(path.sep);
      const isComponent = parts.length === 3;
      const uid = isComponent ? parts.slice(1).join('.') : `api::${parts[0]}.${parts[0]}`;
      const definition = JSON.parse(readFileSync(path.join(corpus, name), 'utf8')) as Row;
      return { ...definition, uid, modelType: isComponent ? 'component' : 'contentType' };
    });

/** Writes an archive like `strapi export`; returns the path. */
export async function makeArchive(rows: ArchiveRows, name = 'export.tar'): Promise<string> {
  const { entities = [], links = [], settings = {}, files = {}, schema = (one) => one, raw } = rows;
  const lines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join('');
  const stored = Object.entries(settings).map(([key, value]) => ({ type: 'core-store', value: { key, value } }));
  const members: Readonly<Record<string, string>> = {
    'schemas/schemas_00001.jsonl': lines(corpusSchemas().map(schema)),
    'entities/entities_00001.jsonl': `${lines(entities)}${raw ?? ''}`,
    ...Object.fromEntries(Object.entries(files).map(([file, content]) => [`assets/uploads/${file}`, content])),
    'links/links_00001.jsonl': lines(links),
    'configuration/configuration_00001.jsonl': lines(stored),
    'metadata.json': '{}',
  };
  const archive = pack();
  for (const [member, content] of Object.entries(members)) archive.entry({ name: member }, content);
  archive.finalize();
  const bytes = await buffer(archive);
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'archive-')), name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(bytes) : bytes);
  return file;
}

/** Encrypts an archive as `strapi export --encrypt` does. */
export function encrypt(file: string, password: string): string {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(password, '', 16), null);
  const encrypted = path.join(mkdtempSync(path.join(os.tmpdir(), 'archive-')), `${path.basename(file)}.enc`);
  writeFileSync(encrypted, Buffer.concat([cipher.update(readFileSync(file)), cipher.final()]));
  return encrypted;
}

const at = '2024-05-01T10:00:00.000Z';

export const entity = (type: string, id: number, data: Row): Row => ({
  type,
  id,
  data: { createdAt: at, updatedAt: at, ...data },
});

type End = readonly [type: string, field: string | null, ref: number, pos?: number];
const end = ([type, field, ref, pos]: End): Row => ({ type, field, ref, ...(pos !== undefined && { pos }) });
export const link = (left: End, right: End): Row => ({
  kind: 'relation.basic',
  relation: '',
  left: end(left),
  right: end(right),
});
