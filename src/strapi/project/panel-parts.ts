import lodash from 'lodash';
import type { Action, Named } from '../strapi.js';

/** The routes of Strapi v4.26's plugins for its admin panel, by plugin and router: method, path and action. */
const panelRoutes: Named<Named<string>> = {
  'content-manager': {
    admin: `
      GET /init init.getInitData
      GET /content-types content-types.findContentTypes
      GET /content-types-settings content-types.findContentTypesSettings
      GET /content-types/:uid/configuration content-types.findContentTypeConfiguration
      PUT /content-types/:uid/configuration content-types.updateContentTypeConfiguration
      GET /components components.findComponents
      GET /components/:uid/configuration components.findComponentConfiguration
      PUT /components/:uid/configuration components.updateComponentConfiguration
      POST /uid/generate uid.generateUID
      POST /uid/check-availability uid.checkUIDAvailability
      GET /relations/:model/:targetField relations.findAvailable
      GET /relations/:model/:id/:targetField relations.findExisting
      GET /single-types/:model single-types.find
      PUT /single-types/:model single-types.createOrUpdate
      DELETE /single-types/:model single-types.delete
      POST /single-types/:model/actions/publish single-types.publish
      POST /single-types/:model/actions/unpublish single-types.unpublish
      GET /single-types/:model/actions/countDraftRelations single-types.countDraftRelations
      GET /collection-types/:model collection-types.find
      POST /collection-types/:model collection-types.create
      POST /collection-types/:model/clone/:sourceId collection-types.clone
      POST /collection-types/:model/auto-clone/:sourceId collection-types.autoClone
      GET /collection-types/:model/:id collection-types.findOne
      PUT /collection-types/:model/:id collection-types.update
      DELETE /collection-types/:model/:id collection-types.delete
      POST /collection-types/:model/:id/actions/publish collection-types.publish
      POST /collection-types/:model/:id/actions/unpublish collection-types.unpublish
      POST /collection-types/:model/actions/bulkDelete collection-types.bulkDelete
      POST /collection-types/:model/actions/bulkPublish collection-types.bulkPublish
      POST /collection-types/:model/actions/bulkUnpublish collection-types.bulkUnpublish
      GET /collection-types/:model/:id/actions/countDraftRelations collection-types.countDraftRelations
      GET /collection-types/:model/actions/countManyEntriesDraftRelations collection-types.countManyEntriesDraftRelations`,
  },
  'content-type-builder': {
    admin: `
      GET /reserved-names builder.getReservedNames
      GET /content-types content-types.getContentTypes
      GET /content-types/:uid content-types.getContentType
      POST /content-types content-types.createContentType
      PUT /content-types/:uid content-types.updateContentType
      DELETE /content-types/:uid content-types.deleteContentType
      GET /components components.getComponents
      GET /components/:uid components.getComponent
      POST /components components.createComponent
      PUT /components/:uid components.updateComponent
      DELETE /components/:uid components.deleteComponent
      PUT /component-categories/:name component-categories.editCategory
      DELETE /component-categories/:name component-categories.deleteCategory`,
  },
  email: {
    admin: `
      POST / email.send
      POST /test email.test
      GET /settings email.getSettings`,
  },
  upload: {
    admin: `
      GET /settings admin-settings.getSettings
      PUT /settings admin-settings.updateSettings
      POST / admin-upload.upload
      GET /files admin-file.find
      GET /files/:id admin-file.findOne
      DELETE /files/:id admin-file.destroy
      GET /folders/:id admin-folder.findOne
      GET /folders admin-folder.find
      POST /folders admin-folder.create
      PUT /folders/:id admin-folder.update
      GET /folder-structure admin-folder.getStructure
      POST /actions/bulk-delete admin-folder-file.deleteMany
      POST /actions/bulk-move admin-folder-file.moveMany`,
    viewConfiguration: `
      GET /configuration view-configuration.findViewConfiguration
      PUT /configuration view-configuration.updateViewConfiguration`,
  },
  'users-permissions': {
    admin: `
      GET /roles/:id role.findOne
      GET /roles role.find
      POST /roles role.createRole
      PUT /roles/:role role.updateRole
      DELETE /roles/:role role.deleteRole
      GET /email-templates settings.getEmailTemplate
      PUT /email-templates settings.updateEmailTemplate
      GET /advanced settings.getAdvancedSettings
      PUT /advanced settings.updateAdvancedSettings
      GET /providers settings.getProviders
      PUT /providers settings.updateProviders
      GET /permissions permissions.getPermissions
      GET /policies permissions.getPolicies
      GET /routes permissions.getRoutes`,
  },
  i18n: {
    admin: `
      GET /iso-locales iso-locales.listIsoLocales
      GET /locales locales.listLocales
      POST /locales locales.createLocale
      PUT /locales/:id locales.updateLocale
      DELETE /locales/:id locales.deleteLocale
      POST /content-manager/actions/get-non-localized-fields content-types.getNonLocalizedAttributes`,
  },
};

/** Further actions for the panel, which other actions call, and those of the panel itself. */
const furtherActions: Named<string> = {
  upload: 'admin-upload.updateFileInfo admin-upload.replaceFile admin-upload.uploadFiles',
  'users-permissions': 'contentmanageruser.create contentmanageruser.update',
  admin:
    'admin.getProjectType admin.init admin.getProjectSettings admin.updateProjectSettings admin.telemetryProperties ' +
    'admin.information admin.plugins api-token.create api-token.regenerate api-token.list api-token.revoke api-token.get ' +
    'api-token.update api-token.getLayout authenticated-user.getMe authenticated-user.updateMe ' +
    'authenticated-user.getOwnPermissions authentication.login authentication.renewToken authentication.registrationInfo ' +
    'authentication.register authentication.registerAdmin authentication.forgotPassword authentication.resetPassword ' +
    'authentication.logout permission.check permission.getAll role.create role.findOne role.findAll role.update ' +
    'role.getPermissions role.updatePermissions role.deleteOne role.deleteMany transfer.runner-push transfer.runner-pull ' +
    'transfer.token-list transfer.token-getById transfer.token-create transfer.token-update transfer.token-revoke ' +
    'transfer.token-regenerate user.create user.find user.findOne user.update user.deleteOne user.deleteMany ' +
    'webhooks.listWebhooks webhooks.getWebhook webhooks.createWebhook webhooks.updateWebhook webhooks.deleteWebhook ' +
    'webhooks.deleteWebhooks webhooks.triggerWebhook content-api.getPermissions content-api.getRoutes',
};

/** Policies and middlewares for routes of the panel: on other routes they refuse. */
const panelGuards: Named<Readonly<Record<'policies' | 'middlewares', readonly string[]>>> = {
  'content-manager': { policies: ['has-draft-and-publish', 'hasPermissions'], middlewares: [] },
  'content-type-builder': { policies: [], middlewares: ['isDevelopmentMode'] },
  admin: { policies: ['hasPermissions'], middlewares: ['rateLimit', 'data-transfer'] },
};

const panelOnly = new WeakSet<object>();

/** Whether it is an action of Strapi's admin panel, which the service does not have. */
export const isPanelAction = (action: unknown): boolean => typeof action === 'function' && panelOnly.has(action);

function panelAction(plugin: string, name: string): Action {
  const uid = plugin === 'admin' ? `admin::${name}` : `plugin::${plugin}.${name}`;
  const action: Action = () => {
    throw new Error(`${uid} is not supported: Strapi's admin panel is not there`);
  };
  panelOnly.add(action);
  return action;
}

/** The parts of a plugin for Strapi's admin panel, so that extensions find what they change. */
export interface PanelParts {
  readonly controllers: Named<Named<Action>>;
  readonly routes: Named<{ readonly type: 'admin'; readonly routes: Named[] }>;
  readonly policies: Named;
  readonly middlewares: Named;
}

/** The parts of a plugin of Strapi v4, or of `admin`, for its admin panel. They throw an error with their name. */
export function panelPartsOf(plugin: string): PanelParts {
  const controllers: Named<Named<Action>> = {};
  const add = (name: string): void => {
    const [controller = '', action = ''] = name.split('.');
    (controllers[controller] ??= {})[action] ??= panelAction(plugin, name);
  };
  const routes = lodash.mapValues(panelRoutes[plugin] ?? {}, (lines) => ({
    type: 'admin' as const,
    routes: lines
      .trim()
      .split('\n')
      .map((line) => {
        const [method = '', path = '', handler = ''] = line.trim().split(' ');
        add(handler);
        return { method, path, handler, config: { policies: [] as unknown[] } };
      }),
  }));
  for (const name of furtherActions[plugin]?.split(' ') ?? []) add(name);
  const { policies = [], middlewares = [] } = panelGuards[plugin] ?? {};
  const guard = (name: string): readonly [string, Action] => [name, panelAction(plugin, name)];
  return {
    controllers,
    routes,
    // As in Strapi v4, one with a name and a validator has a handler.
    policies: Object.fromEntries(
      policies.map(guard).map(([name, handler]) => [name, name === 'hasPermissions' ? { name, handler } : handler]),
    ),
    middlewares: Object.fromEntries(middlewares.map(guard)),
  };
}
