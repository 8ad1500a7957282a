import type { Db } from 'mongodb';
import type { Registry } from '../../src/content-types/model/types.js';
import type { createValidator } from '../../src/documents/input/validate/validate.js';
import { openStore } from '../../src/mongo/store.js';
import { openDocuments } from './open-documents.js';

/** A process without transports, which records its writes as events. A validator can serve many of them. */
export function openRecordingProcess(db: Db, registry: Registry, validator: ReturnType<typeof createValidator>) {
  const store = openStore(db, { timeout: 60_000, exclusive: false, recordBefore: true });
  const documents = openDocuments(registry, store, {}, validator);
  return { documents, store, log: store.events };
}
