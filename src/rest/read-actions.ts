import { emptyQuery } from '../documents/context.js';
import type { Read, ResponseSerializer } from '../documents/read-operation.js';
import { forRead } from '../documents/request-context.js';
import { requireId } from '../query/parse/parse-id.js';
import type { Key } from '../query/parse/parse-key.js';
import { withoutPages } from '../query/parse/parse-pagination.js';
import { parseQuery } from '../query/parse/parse-query.js';
import { selectsAll } from '../query/plugin-parameters.js';
import { readableQuery, type ActionRequest, type Handle, type RestContext } from './action.js';
import { respondExplained } from './explained.js';
import { createEntryParser, createKeyParser, createListParser } from './parsed-queries.js';
import { isPreviewOf, queryOf, queryStringOf } from './requests.js';
import { countSerializer, entriesSerializer, entrySerializer, listSerializer } from './response/envelope.js';
import { sendSerialized } from './response/send.js';

export type ReadAction = 'find' | 'findOne' | 'findByKey' | 'findSingle' | 'count';

/** Strapi v4's reads, the read of an entry by a key, and the count of a list: parse, read, send. */
export function createReadActions(context: RestContext): Readonly<Record<ReadAction, Handle>> {
  const { limits, responseLimit, readPreview } = context;
  const parseList = createListParser(limits);
  const parseEntry = createEntryParser(limits);
  const parseByKey = createKeyParser(limits);
  const listed = listSerializer(responseLimit);
  const single = entrySerializer(responseLimit);
  const answer = async (
    action: ActionRequest,
    requested: Read,
    serializer: ResponseSerializer,
    previewed = false,
  ): Promise<void> => {
    const read = { ...forRead(action), previewed };
    return sendSerialized(
      action.response,
      await respondExplained(context, action.request, requested, read, serializer),
    );
  };
  const isPreviewed = ({ type: { uid }, request, response }: ActionRequest, id?: number): boolean =>
    isPreviewOf({ uid, id }, queryOf(request), response, readPreview);
  return {
    find: async (action) => {
      const query = parseList(action.type, queryStringOf(action.request));
      await answer(action, { action: 'find', query }, listed);
    },
    findOne: async (action) => {
      const { query } = readableQuery(action, 'findOne', parseEntry(action.type, queryStringOf(action.request)));
      const id = requireId(action.id);
      await answer(action, { action: 'findOne', query, id }, single, isPreviewed(action, id));
    },
    findByKey: async (action) => {
      const { type, request } = action;
      const parsed = parseByKey(type, queryStringOf(request), request.params as unknown as Key);
      const { query } = readableQuery(action, 'findByKey', parsed);
      await answer(action, { action: 'findByKey', query }, single);
    },
    findSingle: async (action) => {
      const { type, request } = action;
      const query = parseQuery(withoutPages(queryOf(request)), type, 'client', limits);
      if (!selectsAll(query)) return answer(action, { action: 'findSingle', query }, single, isPreviewed(action));
      const pagination = { form: 'offset', start: 0, limit: limits.maxLimit, withCount: false } as const;
      await answer(action, { action: 'find', query: { ...query, pagination } }, entriesSerializer(responseLimit));
    },
    count: async (action) => {
      const { type, request } = action;
      const { filter, publicationState, parameters } = parseQuery(queryOf(request), type, 'client', limits);
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      const query = { ...emptyQuery(type), filter, publicationState, parameters, pagination };
      await answer(action, { action: 'find', query }, countSerializer);
    },
  };
}
