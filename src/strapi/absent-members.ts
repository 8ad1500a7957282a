import { isRecord } from '../config/record.js';
import { strictProxy } from '../plugins/contract/strict-proxy.js';
import type { Named } from './strapi.js';
import { strapi5Members } from './strapi5-members.js';

const relationQueries = 'attachRelations updateRelations deleteRelations cloneRelations clone';

/** The members of Strapi v4.26 that the service lacks, by object: they throw, and reports name their uses. */
export const absentMembers = {
  strapi:
    'fs app hooks hook contentAPI start destroy sendStartupTelemetry openAdmin postListen ' +
    'listen stopWithError stop loadAdmin loadPlugins loadPolicies loadAPIs loadComponents loadMiddlewares loadApp loadSanitizers ' +
    'loadValidators registerInternalHooks register bootstrap load startWebhooks runLifecyclesFunctions',
  'strapi.server': 'mount initRouting initMiddlewares listen destroy',
  'strapi.db':
    'schema migrations repair inTransaction getSchemaName getConnection getSchemaConnection queryBuilder destroy',
  'strapi.db.query(uid)': relationQueries,
  'strapi.auth': 'authenticate',
  '@strapi/utils':
    'templateConfiguration traverse.factory traverse.traverseQueryFilters traverse.traverseQuerySort traverse.traverseQueryPopulate ' +
    'traverse.traverseQueryFields',
  'strapi.db.lifecycles': 'createEvent run',
  'strapi.entityService': 'implementation decorate uploadFiles wrapParams wrapResult',
  'strapi.webhookRunner': 'logger config webhooksMap listeners queue fetch deleteListener createListener',
  '@strapi/strapi': 'compile',
  factories: 'isCustomController',
  'strapi.db.metadata': 'add validate',
  'strapi.db.entityManager': `${relationQueries} createQueryBuilder`,
  "strapi.container.get('plugins')": 'add',
  "strapi.container.get('apis')": 'add',
  'strapi.api.name': 'bootstrap register destroy load',
  'strapi.plugin(name)': 'bootstrap register destroy load',
  "strapi.plugin('graphql').service('builders')": 'new delete',
  "strapi.plugin('graphql').service('builders').utils":
    'getContentTypeArgs getUniqueScalarAttributes scalarAttributesToFiltersMap',
  "strapi.plugin('graphql').service('extension')": 'generate',
  "strapi.plugin('graphql').service('internals')": 'scalars buildInternalTypes helpers',
  "strapi.plugin('graphql').service('utils').naming":
    'getEntityMetaName getComponentNameFromAttribute getEntityQueriesTypeName getEntityMutationsTypeName ' +
    'getMorphRelationTypeName buildCustomTypeNameGenerator',
  "strapi.plugin('graphql').service('utils').mappers": 'graphqlScalarToOperators',
  "strapi.service('admin::auth')": 'checkCredentials forgotPassword resetPassword',
  "strapi.service('admin::user')": 'register resetPasswordByEmail',
  "strapi.service('admin::role')": 'hooks',
  "strapi.service('admin::permission')": 'createPermissionsManager engine sectionsBuilder',
  "strapi.plugin('upload').service('upload')":
    'enhanceAndValidateFile enhanceFile uploadImage uploadFileAndPersist update add setConfiguration',
  "strapi.plugin('users-permissions').service('providers-registry')": 'run',
  "strapi.plugin('i18n').service('locales')": 'setDefaultLocale initDefaultLocale',
  "strapi.plugin('i18n').service('core-api')":
    'addCreateLocalizationAction addGraphqlLocalizationAction createSanitizer',
  "strapi.plugin('i18n').service('content-types')":
    'getNewLocalizationsFrom getAndValidateRelatedEntity getNestedPopulateOfNonLocalizedAttributes',
} as const satisfies Record<string, string>;

/** The services of Strapi v4.26 that the service does not have, by namespace. */
export const absentServices: Readonly<Record<string, string>> = {
  'admin::': 'passport token metrics content-type constants condition action api-token transfer project-settings',
  'plugin::upload': 'folder file weeklyMetrics metrics api-upload-folder extensions',
  'plugin::users-permissions': 'providers',
  'plugin::i18n': 'permissions metrics localizations entity-service-decorator',
  'plugin::graphql': 'content-api constants type-registry',
  'plugin::content-type-builder': 'content-types components component-categories builder api-handler',
  'plugin::content-manager':
    'components content-types data-mapper entity-manager field-sizes metrics permission-checker permission populate-builder',
};

/** The registries of `strapi.container` in Strapi v4.26 that the service does not have. */
export const absentRegistries: ReadonlySet<string> = new Set(['hooks', 'modules']);

const isListed = (name: string): name is keyof typeof absentMembers => Object.hasOwn(absentMembers, name);

/**
 * The object, with members that throw an error with their name where Strapi v4 has them and the service does not.
 * Project code can assign its own.
 */
export function withAbsent<T extends object>(name: string, target: T): T {
  for (const member of isListed(name) ? absentMembers[name].split(' ') : []) refuse(target, name, member);
  return target;
}

function refuse(target: object, name: string, member: string): void {
  if (Object.hasOwn(target, member)) return;
  Object.defineProperty(target, member, {
    configurable: true,
    get: () => {
      throw new Error(`${name}.${member} is not supported`);
    },
    set: (value: unknown) => {
      Object.defineProperty(target, member, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

const absent = Symbol('absent');

/**
 * The object, with members that throw an error with their name where code of Strapi 5 uses them and the service lacks
 * them.
 */
export function withAbsentOfStrapi5<T extends object>(object: string, target: T): T {
  for (const { name, isSupported } of strapi5Members) {
    const member = name.slice(object.length + 1);
    if (!isSupported && name === `${object}.${member}` && !member.includes('.')) refuse(target, object, member);
  }
  return target;
}

/** Whether it is a service that only throws. */
export const isAbsentService = (service: unknown): boolean =>
  (isRecord(service) || typeof service === 'function') && Reflect.get(service, absent) === true;

/** How code reaches a service: `strapi.service('admin::token')`, `strapi.plugin('upload').service('folder')`. */
export const serviceCall = (namespace: string, service: string): string =>
  namespace === 'admin::'
    ? `strapi.service('admin::${service}')`
    : `strapi.plugin('${namespace.slice('plugin::'.length)}').service('${service}')`;

/** The absent services of a namespace: every member throws an error with its name. */
export const absentServicesOf = (namespace: string): Named<() => Named> =>
  Object.fromEntries(
    (absentServices[namespace]?.split(' ') ?? []).map((service) => [
      service,
      () => strictProxy(serviceCall(namespace, service), absentService(serviceCall(namespace, service))),
    ]),
  );

/** The services that are functions themselves. */
const calledServices = new Set(["strapi.plugin('content-manager').service('populate-builder')"]);

const absentService = (name: string): object =>
  calledServices.has(name)
    ? Object.assign(
        () => {
          throw new Error(`${name} is not supported`);
        },
        { [absent]: true },
      )
    : { [absent]: true };
