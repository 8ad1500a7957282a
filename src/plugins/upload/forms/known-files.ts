import { emptyQuery } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { presentList } from '../../../documents/read-operation.js';
import { idIn } from '../../../query/ast.js';
import { readableFields } from '../../../query/parse/parse-selection.js';
import { attributesFor } from '../../../query/visibility.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import type { Reply, RouteRequest } from '../../contract/plugin.js';
import { FILE, fileTypeOf } from '../definitions.js';
import { refused } from '../folders/tree.js';

/** Digests in one request. */
const MOST_DIGESTS = 100;
/** Files that are looked at for them: the same bytes can be uploaded any number of times. */
const MOST_FILES = 1000;

/**
 * The first file with each of these bytes, which are named by their SHA-256 in hexadecimal digits, as it was computed
 * when they were uploaded.
 * @throws AppError validation
 */
export async function findKnown(request: RouteRequest, context: BuiltInContext): Promise<Reply> {
  const { entries, documents, registry } = context;
  const digests = digestsIn(request.query['sha256']);
  const pagination = { limit: MOST_FILES };
  const filters = { contentDigest: { $in: digests } };
  const same = await entries.findMany(FILE, { filters, fields: ['contentDigest'], sort: 'id', pagination });
  const first = new Map(same.toReversed().map((file) => [String(file['contentDigest']), file.id]));
  const type = fileTypeOf(registry);
  const { caller, signal, bytesRead, entryForm } = request;
  const query = {
    ...emptyQuery(type),
    fields: readableFields(attributesFor(type, entryForm.audience), entryForm.audience),
    filter: idIn([...first.values()]),
    pagination: { form: 'offset', start: 0, limit: MOST_DIGESTS, withCount: false },
  } as const;
  const found = await documents.read(
    { action: 'find', query, caller, signal, bytesRead, presenter: entryForm.presenter },
    presentList,
  );
  const files = new Map((found.entries as readonly Entry[]).map((file) => [file.id, file]));
  const data = [...first].flatMap(([sha256, id]) => {
    const file = files.get(id);
    return file === undefined ? [] : [{ sha256, file }];
  });
  return { body: { data } };
}

/** @throws AppError validation */
function digestsIn(value: unknown): readonly string[] {
  const digests = [value ?? []].flat();
  const isDigest = (one: unknown): one is string => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one);
  if (digests.length === 0 || digests.length > MOST_DIGESTS || !digests.every(isDigest))
    throw refused('sha256', `sha256 must be 64 hexadecimal digits, for 1 to ${MOST_DIGESTS} files`);
  return digests;
}
