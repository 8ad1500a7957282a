import {
  documentIs,
  forRead,
  hasCode,
  parseQueryString,
  queryStringOf,
  rememberParsed,
  type ContentRead,
  type ContentApi,
  type ContentRequest,
} from 'content-service/content-api';
import { type PluginContext } from 'content-service/plugin';
import { presenterFor } from '../presenters.js';
import type { Settings } from '../settings.js';
import { withFilter } from '../status.js';
import { explainRights } from '../strict/explain-rights.js';
import { parseGroups, parseList, parseOne } from './parse-request.js';
import { entrySerializer, listSerializer } from './serializers.js';

/** Strapi 5's reads: parse, read, answer. */
export function createReadActions(context: PluginContext, settings: Settings): Required<ContentApi['reads']> {
  const { documents, limits, http } = context;
  const parsing = { limits, ...settings };
  const list = rememberParsed((input, type) => parseList(input, type, parsing));
  const groups = rememberParsed((input, type) => parseGroups(input, type, parsing));
  const one = rememberParsed((input, type) => parseOne(input, type, parsing));
  const document = rememberParsed((input, type, documentId) =>
    withFilter(parseOne(input, type, parsing), documentIs(type, documentId)),
  );
  const listed = listSerializer(http.responses.limit);
  const single = entrySerializer(http.responses.limit);
  return {
    find: explained(async (asked) => {
      const query = list(asked.type, queryStringOf(asked.request));
      return documents.respond({ ...readOf(asked), action: 'find', query }, listed);
    }),
    findOne: explained(async (asked) => {
      const query = document(asked.type, queryStringOf(asked.request), asked.id);
      return documents.respond({ ...readOf(asked), action: 'findByKey', query }, single);
    }),
    aggregate: explained(async (asked) => {
      const query = groups(asked.type, queryStringOf(asked.request));
      return documents.respond({ ...readOf(asked), action: 'find', query }, listed);
    }),
    findSingle: explained(async (asked) => {
      const query = one(asked.type, queryStringOf(asked.request));
      return documents.respond({ ...readOf(asked), action: 'findSingle', query }, single);
    }),
  };
}

function readOf(asked: ContentRequest) {
  // A cache on the way must not give one form of an answer to who asks for the other.
  asked.response.vary('Strapi-Response-Format');
  return forRead(asked, presenterFor(asked.request.headers));
}

/** What the caller may not name is refused by the documents service; here the error gets the place of the name. */
const explained =
  (action: ContentRead): ContentRead =>
  async (asked) => {
    try {
      return await action(asked);
    } catch (error) {
      if (hasCode(error, 'invalidParameter'))
        explainRights(parseQueryString(queryStringOf(asked.request)), asked.type, asked.caller);
      throw error;
    }
  };
