import { type Useless, onlyCreates, uselessFor, conditionOf } from '../calls/condition.js';
import type { EntryRequest } from '../documents/context.js';
import type { RequestContext } from '../documents/request-context.js';
import type { WrittenEntry } from '../documents/write/conditional/by-key.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import { parseId, requireId } from '../query/parse/input.js';
import { parseWrittenStatus } from '../query/parse/parse-status.js';
import { parseSelection } from '../query/parse/parse-selection.js';
import type { RestContext } from './action.js';
import type { CheckedRequest, EntryChecks } from './conditional/entry-checks.js';
import type { ParsedEntryQuery } from '../calls/entry-query.js';
import { writeData, type ReceivedBody } from './body.js';

export interface CoreWriteParts extends Pick<RestContext, 'documents' | 'limits' | 'bodyReaders'> {
  readonly checks: EntryChecks;
}

/** What a write reads of a request, whether a client sent it or code calls a core action. */
export interface WriteRequest extends CheckedRequest, ReceivedBody {
  /** In the path; not used for single types. */
  readonly id: string;
}

/** Writes an entry, and returns it for the response. @throws AppError, and errors of the reader of a form */
type Perform = (parts: CoreWriteParts, sent: WriteRequest, request: EntryRequest) => Promise<unknown>;

/** A write of Strapi v4: a row for each. */
export interface CoreWrite {
  readonly useless: Useless;
  readonly perform: Perform;
}

export const coreWrites = {
  create: {
    useless: uselessFor.creation,
    perform: ({ documents, bodyReaders }, sent, request) => {
      const entry = { type: sent.type, id: undefined, isNew: true };
      return writeData(bodyReaders, sent, entry, (data) => documents.create(sent.type, data, request));
    },
  },
  update: {
    useless: uselessFor.entry,
    perform: ({ documents, bodyReaders, checks }, sent, request) => {
      const { type } = sent;
      const check = checks.one(sent, sent.id, request);
      return writeData(bodyReaders, sent, { type, id: parseId(sent.id), isNew: false }, async (data, options) =>
        entryIn(documents.update({ type, id: requireId(sent.id) }, data, request, { ...options, check })),
      );
    },
  },
  delete: {
    useless: uselessFor.entry,
    perform: async ({ documents, checks }, sent, request) => {
      const target = { type: sent.type, id: requireId(sent.id) };
      return documents.delete(target, request, checks.one(sent, sent.id, request));
    },
  },
  updateSingle: {
    useless: uselessFor.named,
    perform: ({ documents, bodyReaders, checks }, sent, request) => {
      const { type, condition } = sent;
      const check = checks.single(sent, request);
      const mode = onlyCreates(condition) ? 'create' : 'upsert';
      return writeData(bodyReaders, sent, { type, id: undefined, isNew: false }, async (data, options) =>
        entryIn(documents.update({ type, single: true }, data, request, { ...options, mode, check })),
      );
    },
  },
  deleteSingle: {
    useless: uselessFor.entry,
    /** As in Strapi v4, it returns the complete entry without relations. */
    perform: async ({ documents, limits, checks }, sent, request) => {
      const { type } = sent;
      const complete = { ...request, selection: parseSelection({}, type, 'client', limits) };
      return documents.delete({ type, single: true }, complete, checks.single(sent, request));
    },
  },
} as const satisfies Readonly<Record<string, CoreWrite>>;

/** Does a write under the condition of its request. @throws AppError badRequest, and as the write */
export async function writeCore(
  { useless, perform }: CoreWrite,
  parts: CoreWriteParts,
  { headers, ...sent }: Omit<WriteRequest, 'condition'> & { readonly headers: Parameters<typeof conditionOf>[0] },
  request: EntryRequest,
): Promise<unknown> {
  return perform(parts, { ...sent, condition: conditionOf(headers, useless) }, request);
}

/** The request of a write whose query was parsed, to the documents service. @param dryRun whether the write is only checked */
export const entryRequestOf = (
  { caller, signal, bytesRead }: RequestContext,
  presenter: EntryPresenter,
  { query, input }: ParsedEntryQuery,
  dryRun: boolean,
): EntryRequest => ({
  ...(query.type.draftAndPublish && { status: parseWrittenStatus(input['status'], query.type) }),
  caller,
  signal,
  bytesRead,
  presenter,
  selection: query,
  parameters: query.parameters,
  dryRun,
  event: 'response',
});

const entryIn = async (written: Promise<WrittenEntry>): Promise<unknown> => (await written).entry;
