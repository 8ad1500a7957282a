import { StartError } from '../../../../errors/start-error.js';
import {
  parseStoredId,
  parseExtendedJsonLine,
  type StoredDocument,
} from '../../../../mongo/maintenance/extended-json-lines.js';
import type { BackupItem } from './open-backup.js';

type DocumentItem = Extract<BackupItem, { kind: 'document' }>;

/** @throws StartError when the line is damaged */
export const parseDocument = (item: DocumentItem): StoredDocument => parse(item, parseExtendedJsonLine);

/** The id of an entry, without the rest of it. @throws StartError when the line is damaged */
export const idOf = (item: DocumentItem): number => parse(item, parseStoredId);

function parse<T>({ text, where }: DocumentItem, read: (line: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    throw new StartError(`${where.file}:${where.line} is damaged: ${error instanceof Error ? error.message : ''}`);
  }
}
