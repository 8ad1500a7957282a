import {
  documentIs,
  forRead,
  queryOf,
  rememberParsed,
  type ContentRead,
  type ContentApi,
  type ContentRequest,
  type ResponseSerializer,
  type FormContext,
} from 'content-service/content-api';
import type { Query } from 'content-service/plugin';
import { presenterFor } from '../presenters.js';
import type { Settings } from '../settings.js';
import { withFilter } from '../status.js';
import { explainRights } from '../strict/explain-rights.js';
import { parseGroups, parseList, parseOne } from './parse-request.js';
import { entrySerializer, listSerializer } from './serializers.js';

/** Strapi 5's reads: parse, read, answer. */
export function createReadActions(context: FormContext, settings: Settings): Required<ContentApi['reads']> {
  const { limits, http } = context;
  const parsing = { limits, ...settings };
  const list = rememberParsed((input, type) => parseList(input, type, parsing));
  const groups = rememberParsed((input, type) => parseGroups(input, type, parsing));
  const one = rememberParsed((input, type) => parseOne(input, type, parsing));
  const document = rememberParsed((input, type, documentId) =>
    withFilter(parseOne(input, type, parsing), documentIs(type, documentId)),
  );
  const listed = listSerializer(http.responses.limit);
  const single = entrySerializer(http.responses.limit);
  const read =
    (
      action: 'find' | 'findByKey' | 'findSingle',
      parse: (asked: ContentRequest) => Query,
      serializer: ResponseSerializer,
    ): ContentRead =>
    async (asked) => {
      const { request, type, caller } = asked;
      const query = parse(asked);
      // What the caller may not name is refused by the documents service; here the error gets the place of the name.
      const refuse = (): void => explainRights(queryOf(request), type, caller);
      return { read: { ...readOf(asked), action, query }, serializer, refuse };
    };
  return {
    find: read('find', ({ type, request }) => list(type, request), listed),
    findOne: read('findByKey', ({ type, id, request }) => document(type, request, id), single),
    aggregate: read('find', ({ type, request }) => groups(type, request), listed),
    findSingle: read('findSingle', ({ type, request }) => one(type, request), single),
  };
}

function readOf(asked: ContentRequest) {
  // A cache on the way must not give one form of an answer to who asks for the other.
  asked.response.vary('Strapi-Response-Format');
  return forRead(asked, presenterFor(asked.request.headers));
}
