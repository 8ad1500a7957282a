import type { ContentType } from '../../content-types/model/types.js';
import type { EntryRequest } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import { entryOf, entryWith, listOf } from '../../documents/read-operation.js';
import type { ReadPreview } from '../../plugins/contract/access/preview-links.js';
import type { BodyReader } from '../../plugins/contract/forms.js';
import { requireId } from '../../query/parse/input.js';
import { parseQuery, parseSelection, parseSingleQuery, type QueryLimits } from '../../query/parse/parse-query.js';
import type { IdempotencyKeys } from '../../mongo/coordination/idempotency-keys.js';
import { createEntryChecks, type CheckedRequest, type EntryChecks } from '../../rest/conditional/entry-checks.js';
import { isDryRun } from '../../rest/conditional/dry-run.js';
import { answerOnce, keyedRequest } from '../../rest/conditional/idempotency.js';
import { onlyCreates } from '../../rest/conditional/keyed-entry.js';
import { refuseAbsence, refuseVersions } from '../../rest/conditional/version-check.js';
import { isWrite } from './conditional-writes.js';
import { requestContextOf, type CoreRequest } from './core-request.js';
import { entryParametersOf, isPreviewOf, refuseReadParameters, writeData } from '../../rest/requests.js';
import { envelope, listEnvelope, restPresenter, serializeJson } from '../../rest/response/serialize.js';

/** The dependencies of core actions that call the documents service directly, like requests without code. */
export interface DirectParts {
  readonly type: ContentType;
  readonly documents: Documents;
  readonly limits: QueryLimits;
  readonly bodyReaders: readonly BodyReader[];
  readonly idempotencyKeys: IdempotencyKeys;
  readonly readPreview: ReadPreview | undefined;
  /** The maximum bytes of a response. */
  readonly responseLimit: number;
}

export type DirectAction = (parts: DirectParts, core: CoreRequest) => Promise<unknown>;

function entryRequest({ type, limits }: DirectParts, core: CoreRequest): EntryRequest {
  const selection = parseSelection(core.query, type, 'client', limits);
  if (isWrite(core)) refuseReadParameters(core.query, type, 'only reads have it');
  const dryRun = isWrite(core) && isDryRun(core.query, core.headers);
  return {
    ...requestContextOf(core),
    ...entryParametersOf(core.query, type),
    presenter: restPresenter,
    selection,
    dryRun,
    event: 'response',
  };
}

const idOf = (core: CoreRequest): number => requireId(String(core.params['id']));

/** Whether a preview link shows the entry; id: undefined for a single type. @throws AppError unauthorized */
const isPreviewed = (
  { type: { uid }, readPreview }: DirectParts,
  { query, response }: CoreRequest,
  id?: number,
): boolean => isPreviewOf({ uid, id }, query, response, readPreview);

/** The core actions of collection types, with the responses of requests without code. */
export const collectionActions: Readonly<Record<string, DirectAction>> = {
  find: async ({ type, documents, limits }, core) => {
    const query = parseQuery(core.query, type, 'client', limits);
    return listEnvelope(
      await documents.read({ action: 'find', query }, requestContextOf(core), listOf(restPresenter)),
      query.pagination,
    );
  },
  findOne: async (parts, core) => {
    const id = idOf(core);
    const request = { ...entryRequest(parts, core), previewed: isPreviewed(parts, core, id) };
    return envelope(await parts.documents.read(...entryWith(parts.type, id, request)));
  },
  create: async (parts, core) => {
    const { type, documents, bodyReaders } = parts;
    const request = entryRequest(parts, core);
    refuseVersions(core.headers);
    return respondOnce(parts, core, request, () =>
      writeData(bodyReaders, core, { type, id: undefined }, (data) => documents.create(type, data, request)),
    );
  },
  update: async (parts, core) => {
    const { type, documents, bodyReaders } = parts;
    const request = entryRequest(parts, core);
    const id = idOf(core);
    const check = checkOf(parts, core, (checks, checked) => checks.one(checked, String(id), request));
    return respondOnce(parts, core, request, () =>
      writeData(bodyReaders, core, { type, id }, (data, options) =>
        documents.update({ type, id }, data, request, { ...options, check }).then(({ entry }) => entry),
      ),
    );
  },
  delete: async (parts, core) => {
    const request = entryRequest(parts, core);
    const id = idOf(core);
    const check = checkOf(parts, core, (checks, checked) => checks.one(checked, String(id), request));
    return respondOnce(parts, core, request, () => parts.documents.delete({ type: parts.type, id }, request, check));
  },
};

/** The core actions of single types, with the responses of requests without code. */
export const singleActions: Readonly<Record<string, DirectAction>> = {
  find: async (parts, core) => {
    const { type, documents, limits } = parts;
    const query = parseSingleQuery(core.query, type, limits);
    const request = { ...requestContextOf(core), previewed: isPreviewed(parts, core) };
    return envelope(await documents.read({ action: 'findSingle', query }, request, entryOf(restPresenter)));
  },
  update: async (parts, core) => {
    const { type, documents, bodyReaders } = parts;
    const request = entryRequest(parts, core);
    const check = checkOf(parts, core, (checks, checked) => checks.single(checked, request));
    const mode = onlyCreates(core.headers) ? 'create' : 'upsert';
    return respondOnce(parts, core, request, () =>
      writeData(bodyReaders, core, { type, id: undefined }, (data, options) =>
        documents.update({ type, single: true }, data, request, { ...options, mode, check }).then(({ entry }) => entry),
      ),
    );
  },
  delete: async (parts, core) => {
    const request = entryRequest(parts, core);
    refuseAbsence(core.headers);
    const check = checkOf(parts, core, (checks, checked) => checks.single(checked, request));
    const target = { type: parts.type, single: true } as const;
    return respondOnce(parts, core, request, () => parts.documents.delete(target, request, check));
  },
};

/** The check of `If-Match`; undefined without a request. @param check with the request that it compares */
const checkOf = (
  parts: DirectParts,
  { response, headers, query, caller }: CoreRequest,
  check: (checks: EntryChecks, checked: CheckedRequest) => CheckVersion | undefined,
): CheckVersion | undefined =>
  response && check(createEntryChecks(parts), { type: parts.type, headers, query, caller, response });

/** The response to a write: that of the first request with this `Idempotency-Key`. */
async function respondOnce(
  { idempotencyKeys, responseLimit }: DirectParts,
  core: CoreRequest,
  { dryRun = false }: EntryRequest,
  write: () => Promise<unknown>,
): Promise<unknown> {
  const keyed = keyedRequest(core, core.caller);
  const execute = async (): Promise<object> => envelope(await write());
  if (keyed === undefined || dryRun) return execute();
  const answer = await answerOnce(idempotencyKeys, keyed, async () => serializeJson(await execute(), responseLimit));
  if (answer.isRepeated) core.response?.setHeader('Idempotent-Replayed', 'true');
  return JSON.parse(typeof answer.body === 'string' ? answer.body : [...answer.body].join(''));
}
