import type { EntryRequest } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import type { RequestContext } from '../documents/request-context.js';
import { writtenEntry } from '../documents/response/written-response.js';
import type { KeyedEntry, WrittenEntry } from '../documents/write/conditional/by-key.js';
import type { AnswererOf } from '../plugins/contract/answerer.js';
import type { Perform } from '../plugins/contract/content-api.js';
import type { BodyReader } from '../plugins/contract/forms.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import { flagOf, parseId, requireId } from '../query/parse/input.js';
import { parseKey } from '../query/parse/parse-key.js';
import type { QueryLimits } from '../query/parse/parse-query.js';
import { parseSelection } from '../query/parse/parse-selection.js';
import { parseWrittenStatus } from '../query/parse/parse-status.js';
import { refuseReadParameters } from '../query/plugin-parameters.js';
import type { AskedWrite } from './asked-write.js';
import { authorise } from './authorise.js';
import { dataOf, writeData } from './body.js';
import { onlyCreates } from './condition.js';
import type { EntryChecks } from './entry-checks.js';
import { parseEntryQuery, readableQuery } from './entry-query.js';
import { refuseBypass } from './who-answers.js';

export interface WriteParts {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  readonly bodyReaders: readonly BodyReader[];
  readonly checks: EntryChecks;
  /** Undefined where code of a project calls: it has no action by a key. */
  readonly answererOf?: AnswererOf;
  /** The form of entries. */
  readonly presenter: EntryPresenter;
  /**
   * Whether drafts are meant where nothing says so, as over GraphQL in Strapi v4: a new entry is one unless its data
   * has `publishedAt`, and the entry of a single type is deleted although it is one.
   */
  readonly meansDrafts?: true;
}

/** The entry for the answer, and its status if that is not 200. */
interface Written {
  readonly entry: unknown;
  readonly status?: number;
}

/** A write of Strapi v4, or by a key. @throws AppError, and errors of the reader of a form */
type WriteCall = (parts: WriteParts, asked: AskedWrite, request: EntryRequest) => Promise<Written>;

const CREATED = 201;

/** Strapi v4's writes, and those by a key, for every door. */
export const writeCalls = {
  create: async (parts, asked, request) => {
    const { documents, bodyReaders } = parts;
    const { type } = asked;
    const target = { type, id: undefined, isNew: true };
    const create = (data: unknown): Promise<unknown> => documents.create(type, data, request, creationOf(parts));
    return { entry: await writeData(bodyReaders, asked, target, create) };
  },
  update: async ({ documents, bodyReaders, checks }, asked, request) => {
    const { type, params } = asked;
    const { id = '' } = params;
    const check = checks.one(asked, id, request);
    const target = { type, id: parseId(id), isNew: false };
    return writeData(bodyReaders, asked, target, (data, options) =>
      entryOf(documents.update({ type, id: requireId(id) }, data, request, { ...options, check })),
    );
  },
  delete: async ({ documents, checks }, asked, request) => {
    const { type, params } = asked;
    const { id = '' } = params;
    const target = { type, id: requireId(id) };
    return { entry: await documents.delete(target, request, checks.one(asked, id, request)) };
  },
  updateSingle: async (parts, asked, request) => {
    const { documents, bodyReaders, checks } = parts;
    const { type, terms } = asked;
    const check = checks.single(asked, request);
    const mode = onlyCreates(terms.condition) ? 'create' : 'upsert';
    return writeData(bodyReaders, asked, { type, id: undefined, isNew: false }, (data, options) =>
      entryOf(
        documents.update({ type, single: true }, data, request, { ...options, ...creationOf(parts), mode, check }),
      ),
    );
  },
  deleteSingle: async ({ documents, checks, meansDrafts }, asked, request) => {
    const target = { type: asked.type, single: true, isDraft: meansDrafts } as const;
    return { entry: await documents.delete(target, request, checks.single(asked, request)) };
  },
  writeByKey: async (parts, asked, request) => {
    const { terms, query, body } = asked;
    const found = flagOf(query, 'upsert') ? 'upsert' : 'update';
    const mode = onlyCreates(terms.condition) ? 'create' : found;
    if (mode !== 'update') authoriseCreation(parts, asked);
    const target = keyedEntry(asked);
    const check = parts.checks.byKey(asked, target.key, request);
    const { entry, isNew } = await parts.documents.update(target, dataOf(body), request, { mode, check });
    return { entry, ...(isNew && { status: CREATED }) };
  },
  deleteByKey: async ({ documents, checks }, asked, request) => {
    const target = keyedEntry(asked);
    return { entry: await documents.delete(target, request, checks.byKey(asked, target.key, request)) };
  },
} as const satisfies Readonly<Record<string, WriteCall>>;

/** Parses a write, and returns what does it. @throws AppError invalidParameter, badRequest, tooCostly */
export function prepareWrite(
  call: WriteCall,
  parts: WriteParts,
  asked: AskedWrite,
  { signal, bytesRead }: Omit<RequestContext, 'caller'>,
): Perform {
  const { type, caller, terms } = asked;
  const { presenter } = parts;
  const { query, input } = readableQuery(asked, 'update', parseEntryQuery(asked.query, type, parts.limits));
  refuseReadParameters(asked.query, type, 'only reads have it');
  const request: EntryRequest = {
    ...(type.draftAndPublish && { status: parseWrittenStatus(input['status'], type) }),
    caller,
    signal,
    bytesRead,
    presenter,
    // As in Strapi v4, the entry of a single type is answered whole, without relations.
    selection: call === writeCalls.deleteSingle ? parseSelection({}, type, 'client', parts.limits) : query,
    parameters: query.parameters,
    dryRun: terms.isDryRun,
    event: 'response',
  };
  return async () => {
    const { entry, ...answer } = await call(parts, asked, request);
    return { ...writtenEntry(entry, presenter), ...answer };
  };
}

const creationOf = ({ meansDrafts }: WriteParts) => ({ publish: meansDrafts !== true });

/** The entry that the address names by a key. @throws AppError invalidParameter */
function keyedEntry({ type, params: { attribute = '', value = '' } }: AskedWrite): KeyedEntry {
  const key = { attribute, value };
  return { type, key, filter: parseKey(key, type) };
}

function authoriseCreation({ answererOf }: WriteParts, { type, caller, response }: AskedWrite): void {
  authorise(caller, `${type.uid}.create`, response);
  if (answererOf !== undefined) refuseBypass(answererOf, 'creationByKey', type, ['create']);
}

const entryOf = async (written: Promise<WrittenEntry>): Promise<Written> => ({ entry: (await written).entry });
