/**
 * `content-service/plugin`: what a plugin imports, and all that the packages beside the core may. The other modules are
 * not public, and change without notice.
 */

// A plugin, and the service that it is a part of.
export type {
  Breach,
  Command,
  CommandInput,
  CommandResult,
  Credentials,
  EntryChange,
  KnownActivity,
  KnownWrite,
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
export type { Entries, Entry, EntryReads } from './documents/entries.js';
export type { AuthServices, HttpServices, LocaleServices, StorageServices } from './plugins/contract/plugin-context.js';
export type { PluginDocuments } from './plugins/contract/plugin-documents.js';
export type { WaitingWork } from './plugins/contract/waiting-work.js';
export { system } from './documents/caller.js';
export type { DocumentHooks } from './documents/hooks.js';
export type { Filter, Query } from './query/ast.js';
export type { DependentWrite } from './query/mutation.js';
export type { Interceptor } from './documents/interceptors.js';
export type { GraphqlParts } from './plugins/contract/graphql/parts.js';
export { refuseAll } from './plugins/contract/write-terms.js';

// Errors: of a client, and of settings that stop the start.
export { AppError, hasCode } from './errors/app-error.js';
export type { Issue, Rule } from './errors/codes.js';
export { answerOf } from './errors/codes.js';
export { StartError } from './errors/start-error.js';
export { wrongName } from './errors/nearest-name.js';

// Settings.
export { readSettings } from './plugins/contract/read-settings.js';
export { readDeclaration, type Declaration } from './plugins/contract/read-declaration.js';
export type { Schema } from './content-types/model/settings-schema.js';
export { rules } from './plugins/contract/rules.js';

// Content types and the values of their entries.
export type { ContentTypeDefinition, Defined } from './content-types/model/definition.js';
export type { Attribute, Attributes, Component, ContentType, Registry } from './content-types/model/types.js';
export { attributeTypes } from './content-types/model/attribute-types.js';
export { isExclusive } from './content-types/model/exclusive.js';
export { isLocalized, sharedAttributes } from './content-types/model/localized.js';
export { generatedNames } from './content-types/model/system-attributes.js';
export {
  allowedComponents,
  componentOf,
  componentsIn,
  holdsComponents,
  isComponentList,
  mapComponents,
  type EmbeddingAttribute,
} from './content-types/model/walk.js';
export { isOwnType, listingOf, pathNameOf } from './documents/listings.js';
export { populateOf, writtenForm } from './plugins/contract/written-form.js';
export { readState, type State } from './plugins/contract/read-state.js';
export { isReadable, type Audience } from './query/visibility.js';

// What a caller may see and write.
export { describeContent, type DescribedModel } from './plugins/contract/describe-content.js';
export { dropUnreadableTargets, dropWithheld } from './documents/input/permitted-data.js';
export { canReadRelation, withheldFrom } from './documents/rights.js';
export { seesCopies, type EntryStates } from './documents/entry-states.js';
export { mayAsk } from './documents/write/rights-of-asks.js';

// Requests and responses.
export type { EntryRequest } from './documents/context.js';
export { plainEntry, type EntryPresenter } from './query/entry-presenter.js';
export { tagOf } from './documents/response/response-body.js';
export { createQuota, type Quota } from './documents/quota.js';
export { isDeveloper } from './plugins/contract/developer.js';
export { namesOfUsers } from './plugins/contract/names-of-users.js';
export { noteCaller } from './plugins/contract/response-notes.js';
export { lookUpPublic, namesPrivateAddress } from './plugins/contract/http/private-networks.js';
export { measureFunctions, measures } from './query/measures.js';
export { parseId, requireId } from './query/parse/input.js';
export { parseSchedule } from './query/parse/parse-schedule.js';

// Values by name: the data of an entry, a body, arguments.
export { defined, isDeeperThan, isRecord, type Data } from './config/record.js';
