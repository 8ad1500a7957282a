import type { ContentTypeDefinition, Defined } from 'content-service/plugin';

/** One write. Like other types of the service's own it has no routes of its own, no events and no GraphQL. */
export const record: Defined<ContentTypeDefinition> = {
  uid: 'admin::audit.record',
  file: 'plugin audit',
  definition: {
    kind: 'collectionType',
    collectionName: 'audit_records',
    info: { singularName: 'audit-record', pluralName: 'audit-records', displayName: 'Audit record' },
    options: { indexes: [{ of: 1, entry: 1 }, { user: 1, id: -1 }, { at: -1 }] },
    attributes: {
      at: { type: 'datetime', required: true },
      action: { type: 'string', required: true },
      /** The uid of the content type, and the id of the entry; empty: the record is about the log itself. */
      of: { type: 'string' },
      entry: { type: 'integer' },
      /** An import has replaced the working copy of the entry. */
      copy: { type: 'boolean' },
      /** The kind of who did it, with the id of the user or the token. */
      kind: { type: 'string', required: true },
      user: { type: 'integer' },
      /** Of a person: they can be erased, see `personHash`. */
      name: { type: 'string' },
      address: { type: 'string' },
      door: { type: 'string' },
      request: { type: 'string' },
      /** The names of the written attributes, and the hash of their values. */
      written: { type: 'json' },
      values: { type: 'string' },
      /** The hash of what was there before, of a definition. */
      before: { type: 'string' },
      /** Of a log-in: what has proved who it is. */
      factors: { type: 'json' },
      /** What the record is about beside an entry: anchors of other chains, or what was removed by age. */
      chains: { type: 'json' },
      /** Of the write and the entry: the same write is recorded once. */
      key: { type: 'string', required: true, unique: true },
      chain: { type: 'string', required: true },
      place: { type: 'integer', required: true },
      previous: { type: 'string' },
      hash: { type: 'string', required: true },
      /** The hash of name and address, with a salt that is erased with them: the chain stays valid. */
      personHash: { type: 'string', private: true },
      salt: { type: 'string', private: true },
    },
  },
};
