/**
 * `content-service/content-api`: what a plugin imports, beside `content-service/plugin`, that answers the content API
 * in another form (`contentApis`, `graphqlForms`). It reads and writes by the core's queries, so rights, limits and
 * costs are those of the core. It follows the core: it can change with each minor version.
 */

// Its parts.
export type {
  ContentApi,
  ContentRead,
  ContentRequest,
  ContentWrite,
  ContentWriteRequest,
  FormContext,
} from './plugins/contract/plugin.js';
export type { FormDocuments } from './plugins/contract/plugin-documents.js';
export type { CodeForm, DocumentAction, DocumentCall } from './plugins/contract/code-form.js';
export type { EventForm, EventMessage, LoggedWrite } from './plugins/contract/event-form.js';
export type { OperationParts } from './plugins/contract/api-description.js';
export { groupsResponse } from './plugins/contract/content-type-routes.js';
export type { JsonSchema } from './content-types/model/attribute-types.js';
export type {
  FieldArguments,
  GraphqlForm,
  ReadForm,
  RootRow,
  SchemaForm,
  WriteForm,
} from './plugins/contract/graphql/form.js';
export type { GraphqlResolver, GraphqlResolvers, ShadowRule } from './plugins/contract/graphql/parts.js';
export {
  componentNames as graphqlComponentNames,
  namesOf as graphqlNamesOf,
} from './plugins/contract/graphql/names.js';

// Content types, and what a form shows of them.
export type { ScalarAttribute } from './content-types/model/types.js';
export type { Model } from './content-types/model/walk.js';
export { attributesFor, isPopulated } from './query/visibility.js';

// Requests.
export { authorise } from './calls/authorise.js';
export { queryOf } from './calls/query-string.js';
export { rememberParsed } from './rest/remember-parsed.js';
export { dataOf } from './calls/body.js';
export { readCalls } from './calls/read-call.js';
export { refuseBypass } from './calls/who-answers.js';
export { unchanged } from './calls/unchanged.js';

// Reads.
export type { PopulateNode, RelatedQuery, Selection, SortKey, ValuePath } from './query/ast.js';
export { copiedData, copyPopulate } from './documents/copied-data.js';
export { both, draft, live, NO_LIMIT, idIs, mapFilter, mapPaths, mapRelated, nothing } from './query/ast.js';
export { isOperator } from './query/operators.js';
export { parametersOf } from './query/plugin-parameters.js';
export { textOf } from './query/parse/input.js';
export { aggregateParameters, parseAggregate } from './query/parse/parse-aggregate.js';
export { parseQuery } from './query/parse/parse-query.js';
export { documentIs } from './query/narrow.js';
export { emptyQuery } from './documents/context.js';
export { forRead } from './documents/request-context.js';

// Writes.
export type { IdentifiedEntry } from './documents/identify.js';
export type { CheckVersion } from './documents/write/conditional/while-unchanged.js';
export { writtenEntry } from './documents/response/written-response.js';

// Answers.
export { overlapMeta, pageMeta, presentEntry, presentList } from './documents/read-operation.js';
export type { ResponseSerializer } from './documents/response/respond.js';
export { serializeJson, serializeList } from './calls/serialize.js';
export { labelOf } from './documents/input/validate/validate.js';
