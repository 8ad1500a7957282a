import { randomUUID } from 'node:crypto';
import type { ContentType } from '../../content-types/model/types.js';
import type { CopyUse } from '../../query/mutation.js';
import type { Author, Origin, Receipt, ReceiptAction } from '../../query/receipt.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import type { WriteIdentity } from '../hooks.js';
import type { Encoded } from './encode.js';

/** Who asks for a write: code of the project writes as the system, for the caller whose rules apply. */
type Asking = Pick<EntryRequest, 'caller' | 'limitedBy'>;

const askerOf = ({ caller, limitedBy = caller }: Asking): Caller => (limitedBy.kind === 'system' ? caller : limitedBy);

const originOf = (asking: Asking): Origin | undefined => asking.caller.origin ?? askerOf(asking).origin;

/** A new write, as each of its hooks is told. */
export const identityOf = (asking: Asking): WriteIdentity => ({
  writeId: randomUUID(),
  caller: asking.caller,
  door: originOf(asking)?.door ?? 'code',
});

/** What a write of this identity does. */
interface Signed extends Pick<WriteIdentity, 'writeId'> {
  readonly action: ReceiptAction;
  /** What is written; undefined: nothing but the action. */
  readonly encoded?: Pick<Encoded, 'values' | 'merges' | 'links' | 'otherSides'>;
}

/** The receipt of a write; undefined: writes of the type have none. */
export function receiptOf(
  { store: { receipts } }: DocumentsContext,
  type: ContentType,
  asking: Asking,
  { writeId, action, encoded }: Signed,
): Receipt | undefined {
  const own = receipts?.of(type, undefined, action);
  if (own === undefined || receipts === undefined) return undefined;
  const asker = askerOf(asking);
  // What the service writes by itself is of whoever it does so for.
  const by = asker.kind === 'system' ? own.by : authorOf(asker);
  const signed = { ...own, id: writeId, by, origin: originOf(asking) ?? own.origin };
  if (encoded === undefined) return signed;
  const { values, merges, links, otherSides } = encoded;
  const written = new Map<string, unknown>([
    ...values,
    ...merges,
    ...[...links, ...otherSides].map(({ attribute, ...change }) => [attribute.name, change] as const),
  ]);
  const names = [...written.keys()].filter((name) => !isOfService(name)).toSorted();
  const text = JSON.stringify(
    names.map((name) => [name, written.get(name) ?? null]),
    (_, value: unknown) => {
      // Changes of components are maps.
      if (value instanceof Map) return Object.fromEntries(value) as unknown;
      return typeof value === 'bigint' ? String(value) : value;
    },
  );
  return { ...signed, names, ...(names.length > 0 && { hash: receipts.digest(text) }) };
}

/** What a write of values is called: with `publishedAt` it publishes or unpublishes. */
export function actionOf(
  { action, values }: { readonly action: 'create' | 'update'; readonly values: ReadonlyMap<string, unknown> },
  copy: CopyUse | undefined,
): ReceiptAction {
  if (action === 'create') return 'create';
  if (copy === 'save') return 'save';
  if (copy === 'merge') return 'publish';
  if (!values.has('publishedAt')) return 'update';
  return values.get('publishedAt') === undefined ? 'unpublish' : 'publish';
}

/** A caller as records name them. */
export function authorOf({ kind, user, credentials = {} }: Pick<Caller, 'kind' | 'user' | 'credentials'>): Author {
  const { id, username, name } = credentials;
  const known = user ?? id;
  const title = username ?? name;
  return {
    kind,
    ...(typeof known === 'number' && { id: known }),
    ...(typeof title === 'string' && { name: title }),
  };
}

/** The service sets them with every write. */
const isOfService = (name: string): boolean => name.startsWith('_') || name === 'createdAt' || name === 'updatedAt';
