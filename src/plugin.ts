/**
 * `content-service/plugin`: what a plugin imports, and all that the packages beside the core may. The other modules are not public, and change
 * without notice.
 */

// A plugin, and the service that it is a part of.
export type {
  Command,
  CommandInput,
  CommandResult,
  ContentAction,
  ContentAnswer,
  ContentApi,
  ContentRequest,
  Credentials,
  EntryChange,
  Mount,
  Plugin,
  PluginContext,
  PluginFactory,
  Reply,
  Request,
  RequestHandler,
  Response,
  Route,
  RouteRequest,
  ServiceSettings,
  TaggedCache,
  Tolerate,
} from './plugins/contract/plugin.js';
export type { Caller } from './documents/caller.js';
export type { DocumentHooks } from './documents/hooks.js';
export type { Interceptor } from './documents/interceptors.js';

// Errors: of a client, and of settings that stop the start.
export { AppError } from './errors/app-error.js';
export { answerOf } from './errors/codes.js';
export { StartError } from './errors/start-error.js';

// Settings.
export { readSettings } from './plugins/contract/read-settings.js';
export { readDeclaration, type Declaration } from './plugins/contract/read-declaration.js';
export type { Schema } from './content-types/model/settings-schema.js';
export { rules } from './plugins/contract/rules.js';

// Content types and the values of their entries.
export type { ContentTypeDefinition, Defined } from './content-types/model/definition.js';
export type {
  Attribute,
  Attributes,
  Component,
  ContentType,
  Registry,
  ScalarAttribute,
} from './content-types/model/types.js';
export type { Model } from './content-types/model/walk.js';
export { attributeTypes } from './content-types/model/attribute-types.js';
export { isLocalized, sharedAttributes } from './content-types/model/localized.js';
export { generatedNames } from './content-types/model/system-attributes.js';
export {
  allowedComponents,
  componentOf,
  componentsIn,
  holdsComponents,
  isComponentList,
  mapComponents,
} from './content-types/model/walk.js';
export { isOwnType, listingOf, pathNameOf } from './documents/listings.js';
export { populateOf, writtenForm } from './plugins/contract/written-form.js';

// GraphQL in another form.
export type {
  FieldArguments,
  GraphqlForm,
  ReadForm,
  RootRow,
  SchemaForm,
  WriteForm,
} from './plugins/contract/graphql/form.js';
export type {
  GraphqlContext,
  GraphqlParts,
  GraphqlResolver,
  GraphqlResolvers,
  ShadowRule,
} from './plugins/contract/graphql/parts.js';
export {
  componentNames as graphqlComponentNames,
  namesOf as graphqlNamesOf,
} from './plugins/contract/graphql/names.js';

// What a caller may see and write.
export { describeContent, type DescribedModel } from './plugins/contract/describe-content.js';
export { dropWithheld } from './documents/input/permitted-data.js';
export { canReadRelation } from './documents/rights.js';

// Requests and responses.
export { tagOf } from './documents/response/response-body.js';
export { writtenEntry } from './documents/response/written-response.js';
export { refuseHeaders, onlyCreates, versionCheck } from './rest/conditional/entry-checks.js';
export { isDryRun } from './rest/conditional/dry-run.js';
export { dataOf } from './rest/body.js';
export { authorise } from './rest/authorise.js';
export { createPlaces, type Places } from './documents/places.js';
export { isDeveloper } from './plugins/contract/developer.js';
export { namesOfUsers } from './plugins/contract/names-of-users.js';
export { noteCaller } from './plugins/contract/response-notes.js';
export { lookUpPublic, namesPrivateAddress } from './plugins/contract/http/private-networks.js';
export { documentIs } from './query/narrow.js';
export { attributesFor, type Audience } from './query/visibility.js';
export { parseId, requireId } from './query/parse/input.js';
export { parseSchedule } from './query/parse/parse-schedule.js';

// Values by name: the data of an entry, a body, arguments.
export { defined, isDeeperThan, isRecord, type Data } from './config/record.js';

// Another form of the content API: what it reads, and how it answers. Queries are the core's trees, so rights, limits and costs are the same.
export type { Filter, Query, RelatedQuery, Selection } from './query/ast.js';
export { both, draft, live, mapFilter, mapRelated } from './query/ast.js';
export type { EntryPresenter } from './query/entry-presenter.js';
export { inForm, type EntryForm } from './plugins/contract/entry-form.js';
export { emptyQuery, type EntryRequest } from './documents/context.js';
export type { IdentifiedEntry } from './documents/identify.js';
export type { CheckVersion } from './documents/write/conditional/while-unchanged.js';
export type { Issue } from './errors/codes.js';
export { plainEntry } from './query/entry-presenter.js';
export { isOperator } from './query/operators.js';
export { parametersOf } from './query/plugin-parameters.js';
export { parseQuery } from './query/parse/parse-query.js';
export { isPopulated, isReadable } from './query/visibility.js';
export { pageMeta, presentEntry } from './documents/read-operation.js';
export { forRead } from './documents/request-context.js';
export type { ResponseSerializer } from './documents/response/respond.js';
export { hasCode, ifNotFound } from './errors/app-error.js';
export { system as systemCaller } from './documents/caller.js';
export { parseQueryString, queryStringOf } from './rest/query-string.js';
export { rememberParsed } from './rest/remember-parsed.js';
export { serializeJson, serializeList } from './rest/response/json-response.js';
