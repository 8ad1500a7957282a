import lodash from 'lodash';
import type { AskedWrite } from '../../calls/asked-write.js';
import { noChecks } from '../../calls/entry-checks.js';
import { readCalls } from '../../calls/read-call.js';
import { writeCalls, type WriteParts } from '../../calls/write-calls.js';
import { isAbsent, isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { type EntryRequest, emptyQuery } from '../../documents/context.js';
import type { Documents } from '../../documents/documents.js';
import { presentList, withoutRelations } from '../../documents/read-operation.js';
import { forRead } from '../../documents/request-context.js';
import { AppError, asNotFound } from '../../errors/app-error.js';
import type { Query } from '../../query/ast.js';
import { parametersOf, parseValues, selectedValues } from '../../query/plugin-parameters.js';
import { requireId } from '../../query/parse/input.js';
import { parseKey, type Key } from '../../query/parse/parse-key.js';
import { hasStatus, parseStatus, stateOfStatus } from '../../query/parse/parse-status.js';
import type { WriteField, WriteForm } from '../../plugins/contract/graphql/form.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import type { RootField } from '../schema/root-fields.js';
import { v4Shape } from '../schema/shape.js';
import { fieldReads, type FieldForm, type Operation } from './field-reads.js';
import { fieldWrites, writesOf } from './field-writes.js';
import { parseListing, parseSingle, type Arguments, type ReadLimits } from './listing.js';

/** The arguments that Strapi v4 does not have. */
export const optionsOf = (type: ContentType): readonly string[] => [
  'by',
  ...(hasStatus(type) ? ['status'] : []),
  ...parametersOf(type).flatMap(({ name, graphql }) => (graphql.isAddition === true ? [name] : [])),
  'dryRun',
];

/** Those of fields that return entries. */
export type EntryOperation = Exclude<RootField['operation'], 'aggregate'>;

export interface Operations extends Readonly<Record<EntryOperation, Operation>> {
  /** Counts the entries that the caller may see. */
  readonly count: (type: ContentType, args: Arguments, context: GraphqlContext) => Promise<number>;
}

/** What the fields of Strapi v4's schema ask for. */
export const v4Fields: FieldForm = {
  presenter: graphqlPresenter,
  scope: (query, args) => ({ ...query, parameters: parseValues(args, query.type) }),
  entryOf: (type, args) =>
    args['by'] === undefined ? { id: String(args['id']) } : { filter: parseKey(keyIn(args), type) },
  stateOfOne: (type, args, limits) => {
    if (type.kind === 'singleType') return parseSingle(args, type, limits);
    const status = hasStatus(type) ? parseStatus(args['status'], type) : undefined;
    return status === undefined ? {} : { publicationState: stateOfStatus[status] };
  },
  isPreviewed: ({ isPreviewed }, { uid }, id) => isPreviewed({ uid, id }),
};

/**
 * Strapi v4's generated queries and mutations: the arguments become the calls of every door, the answers the source
 * objects of the types.
 */
export const rootOperations = (documents: Documents, limits: ReadLimits): Operations => ({
  ...fieldReads(v4Fields, v4Shape, limits),
  count: countOf(limits),
  ...fieldWrites(writesOf(v4Writes(documents, limits))),
});

const countOf =
  (limits: ReadLimits): Operations['count'] =>
  async (type, args, context) => {
    const list = (): Query => {
      const listing = parseListing(args, type, context.caller, limits);
      // As in Strapi v4, drafts count unless the arguments leave them out.
      const publicationState = isAbsent(args['publicationState']) ? 'stored' : listing.publicationState;
      return v4Fields.scope({ ...emptyQuery(type), ...listing, publicationState }, args);
    };
    const { read } = readCalls.count({ type, list });
    return (await context.read({ ...forRead(context, graphqlPresenter), ...read }, presentList)).total ?? 0;
  };

/** What the mutations of Strapi v4's schema ask for. */
function v4Writes(documents: Documents, limits: ReadLimits): WriteForm {
  const parts: WriteParts = {
    documents,
    limits: { ...limits, withCount: false },
    bodyReaders: [],
    // Headers have no effect, as in Strapi v4.
    checks: noChecks,
    presenter: graphqlPresenter,
    meansDrafts: true,
  };
  const write =
    (name: keyof WriteForm, paramsOf: (args: Arguments) => AskedWrite['params'] = () => ({})): WriteField =>
    (type, args, request) => {
      const isDryRun = args['dryRun'] === true;
      const asked: AskedWrite = {
        type,
        params: paramsOf(args),
        query: args,
        terms: { condition: undefined, isDryRun },
        caller: request.caller,
        response: undefined,
        body: { data: dataOf(type, args) },
        form: undefined,
        is: () => false,
        address: '',
      };
      const written: EntryRequest = {
        ...(name.startsWith('delete') ? withoutRelations(request) : request),
        parameters: parseValues(args, type, 'scope'),
        dryRun: isDryRun,
        ...(hasStatus(type) && { status: parseStatus(args['status'], type) }),
      };
      return writeCalls[name](parts, asked, written).then(({ entry }) => entry);
    };
  const byId = (args: Arguments): AskedWrite['params'] => ({ id: String(idToWrite(args)) });
  const deleteSingle = write('deleteSingle');
  return {
    create: write('create'),
    update: write('update', byId),
    delete: write('delete', byId),
    updateSingle: write('updateSingle'),
    deleteSingle: async (...field) => deleteSingle(...field).catch(asNotFound('Entity not found')),
  };
}

/** @throws AppError badRequest */
function keyIn({ id, by }: Arguments): Key {
  const [key, ...others] = Object.entries(isRecord(by) ? by : {});
  if (id !== undefined || typeof key?.[1] !== 'string' || others.length > 0)
    throw new AppError('badRequest', 'An entry has to be named by its id or by one unique value');
  return { attribute: key[0], value: key[1] };
}

/**
 * The id of the entry to write. As recorded, nothing is written where a client's is that of no entry.
 * @throws AppError notFound; badRequest for what is neither text nor a number, which only code can set
 */
export function idToWrite({ id }: Arguments): number {
  if (typeof id === 'string' || typeof id === 'number') return requireId(id);
  throw new AppError('badRequest', 'The argument id must be a string or a number');
}

/** Written data, with the attributes that the arguments select by. */
export function dataOf(type: ContentType, args: Arguments): unknown {
  // The objects of graphql have no prototype; those of JSON do.
  const values: unknown = lodash.cloneDeep(args['data']);
  return isRecord(values) ? { ...values, ...selectedValues(type, args) } : values;
}
