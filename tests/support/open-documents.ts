import type { Registry } from '../../src/content-types/model/types.js';
import { createDocuments, type Additions, type Documents } from '../../src/documents/documents.js';
import { createValidator } from '../../src/documents/input/validate/validate.js';
import { createPasswords } from '../../src/documents/write/passwords.js';
import type { Store } from '../../src/mongo/store.js';

const dataBounds = { components: 1000, relatedEntries: 1000, jsonValues: 50_000 };

/**
 * The documents of a process without transports: so thousands can be opened on one database.
 * @param validator compiled by who opens many processes, which differ in nothing that it depends on
 */
export const openDocuments = (
  registry: Registry,
  store: Store,
  additions: Additions = {},
  validator = createValidator(registry),
): Documents => createDocuments({ registry, store, validator, passwords: createPasswords(4), dataBounds }, additions);
