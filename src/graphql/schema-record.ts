import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The schema that a project's code last built. */
export interface SchemaRecord {
  /** Of everything that the schema depends on. */
  readonly fingerprint: string;
  /** Lines for the log of each start. */
  readonly warnings: readonly string[];
}

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'compiled', 'graphql-schema.json');

/** The record in a data folder; undefined if there is none, or none that can be read. */
export async function readRecord(dataFolder: string): Promise<SchemaRecord | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as SchemaRecord;
  } catch {
    return undefined;
  }
}

/** Writes the record, if there is a data folder that can be written: otherwise each start builds the schema. */
export async function writeRecord(dataFolder: string, record: SchemaRecord): Promise<void> {
  const file = fileIn(dataFolder);
  const draft = `${file}.${process.pid}`;
  try {
    await access(dataFolder);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, JSON.stringify(record));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true });
  }
}

/** Removes the record, so that the next start builds the schema. */
export const removeRecord = (dataFolder: string): Promise<void> => rm(fileIn(dataFolder), { force: true });
