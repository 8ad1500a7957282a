import type { StrapiVersion } from '../config/project/strapi-version.js';
import { plainForm, type EntryForm } from '../plugins/contract/entry-form.js';
import type { GraphqlDocuments } from '../plugins/contract/graphql/project.js';
import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type { Route } from '../plugins/contract/routes.js';
import { createController } from './core/controller.js';
import { createService } from './core/service.js';
import { createControllerOfStrapi5 } from './strapi5/core-controller.js';
import { createServiceOfStrapi5 } from './strapi5/core-service.js';
import { ownStrategies } from './services/auth.js';
import { systemAttributesOfModel } from './registries/models.js';
import { systemAttributesOfStrapi5 } from './strapi5/system-attributes.js';
import type { StrapiDocuments } from './strapi5/documents.js';
import { completeStrapi5 } from './strapi5/complete-strapi.js';
import type { Named, Runtime, Strapi, StrapiContext } from './strapi.js';

/** What the code of a project gets in the form of its version of Strapi. */
export interface Form {
  readonly createController: (context: StrapiContext, uid: string) => Named;
  readonly createService: (strapi: Strapi, uid: string) => Named;
  /**
   * A service of code has the core's methods of its own, and not from its prototype (recorded: code/18-core-services).
   */
  readonly hasOwnMethods: boolean;
  /** What the running service is to code. */
  readonly runtimeOf: (plugins: BuiltInContext) => Pick<Runtime, 'audience' | 'codeForm'>;
  /** The names of ids in queries. */
  readonly ids: ReadonlySet<string>;
  /** The attributes that every content type has to code. */
  readonly systemAttributes: typeof systemAttributesOfModel;
  /** Clients see which errors are those of policies (recorded: code/22-context). */
  readonly showsPolicies: boolean;
  /** The names of the strategies of the service, as code sees them. */
  readonly strategies: Readonly<Record<'token' | 'user', string>>;
  /** The user of a request as code sees it; undefined: as the service knows it (recorded: code/22-context). */
  readonly loadUser: ((strapi: Strapi, id: number) => Promise<unknown>) | undefined;
  /** Localizations have routes of their own. */
  readonly hasLocalizationRoutes: boolean;
  /** The form of entries that a plugin's route answers with. */
  readonly entryFormOf: (context: StrapiContext, route: Route) => EntryForm;
  /** What extends the schema of documents of the GraphQL API, in its form. */
  readonly documentsOf: ((strapi: Strapi) => GraphqlDocuments) | undefined;
  /** Adds what only this version has. */
  readonly complete?: (context: StrapiContext) => void;
  /** The version that code reads in the settings. */
  readonly version: string;
  /** The settings of plugins as code reads them, where those of the service are about the other form of the API. */
  readonly pluginSettings: Named<Named>;
}

/** The forms of project code: this is the only place that asks for the version of a project. */
export const forms: Readonly<Record<StrapiVersion['major'], Form>> = {
  4: {
    createController,
    createService,
    hasOwnMethods: true,
    runtimeOf: () => ({ audience: 'code', codeForm: undefined }),
    ids: new Set(['id']),
    systemAttributes: systemAttributesOfModel,
    showsPolicies: false,
    strategies: ownStrategies,
    loadUser: undefined,
    documentsOf: undefined,
    hasLocalizationRoutes: true,
    entryFormOf: () => plainForm,
    version: '4.26.2',
    pluginSettings: {},
  },
  5: {
    createController: createControllerOfStrapi5,
    createService: createServiceOfStrapi5,
    hasOwnMethods: false,
    runtimeOf: ({ http }) => ({ audience: 'documentCode', codeForm: http.codeForm }),
    ids: new Set(['id', 'documentId']),
    systemAttributes: systemAttributesOfStrapi5,
    showsPolicies: true,
    strategies: { ...ownStrategies, token: 'content-api-token' },
    loadUser: async (strapi, id) =>
      strapi.db.query('plugin::users-permissions.user')['findOne']?.({ where: { id }, populate: ['role'] }),
    hasLocalizationRoutes: false,
    entryFormOf: ({ runtime }, route) =>
      runtime('routes of plugins').plugins.http.contentApis()[0]?.formOf?.(route) ?? plainForm,
    documentsOf: (strapi) => strapi['documents'] as StrapiDocuments,
    complete: completeStrapi5,
    version: '5.54.0',
    pluginSettings: { graphql: { endpoint: '/graphql' } },
  },
};
