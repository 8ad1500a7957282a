import type { Db } from 'mongodb';
import type { Registry } from '../../src/content-types/model/types.js';
import { createDocuments } from '../../src/documents/documents.js';
import type { createValidator } from '../../src/documents/input/validate/validate.js';
import { createPasswords } from '../../src/documents/write/passwords.js';
import { openStore } from '../../src/mongo/store.js';

/** A process without transports, which records its writes as events. A validator can serve many of them. */
export function openRecordingProcess(db: Db, registry: Registry, validator: ReturnType<typeof createValidator>) {
  const store = openStore(db, { timeout: 60_000, exclusive: false, recordBefore: true });
  const documents = createDocuments({
    registry,
    store,
    validator,
    passwords: createPasswords(4),
    dataBounds: { components: 1000, relatedEntries: 100, jsonValues: 50_000 },
  });
  return { documents, store, log: store.events };
}
