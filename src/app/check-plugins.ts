import type { ContentType, Registry } from '../content-types/model/types.js';
import { emptyQuery } from '../documents/context.js';
import type { Entry } from '../documents/entries.js';
import type { Database } from '../mongo/connection/database.js';
import type { Violation } from '../mongo/maintenance/check/violation.js';
import { openStore } from '../mongo/store.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import { id as idField } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';

/** Milliseconds that a command may take. */
const TIMEOUT = 60_000;
/** Entries that are read together. */
const BATCH = 1000;

/** What plugins find wrong with the entries of their content types. */
export async function* checkPlugins(
  plugins: readonly BuiltInPlugin[],
  { db }: Database,
  registry: Registry,
): AsyncGenerator<Violation> {
  const store = openStore(db, { timeout: TIMEOUT, exclusive: false });
  const typeOf = (uid: string): ContentType => {
    const type = registry.contentTypes.get(uid);
    if (type === undefined) throw new Error(`unknown content type "${uid}"`);
    return type;
  };
  const read = async function* (uid: string): AsyncGenerator<Entry> {
    const type = typeOf(uid);
    const fields = [...type.attributes.values()].filter((attribute) => attribute.kind === 'scalar');
    const pagination = { form: 'offset', start: 0, limit: BATCH, withCount: false } as const;
    const sort = [{ through: [], field: idField, direction: 'ascending' }] as const;
    for (let last = 0, length = BATCH; length === BATCH;) {
      const filter = { kind: 'comparison', field: idField, operator: '$gt', operands: [last] } as const;
      const { entries } = await store.find({
        ...emptyQuery(type),
        fields,
        filter,
        sort,
        pagination,
      });
      for (const entry of entries) {
        const plain = entry(plainEntry) as Entry;
        last = plain.id;
        yield plain;
      }
      length = entries.length;
    }
  };
  for (const { check } of plugins) {
    for await (const { type, id, rule } of check?.(read) ?? [])
      yield { collection: typeOf(type).collectionName, id: String(id), path: '', rule };
  }
}
