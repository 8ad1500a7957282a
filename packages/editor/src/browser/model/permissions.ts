import type { Content } from './schema.js';

/** Permissions as the API writes them: by type, controller and action. */
export type PermissionTree = Readonly<Record<string, { readonly controllers: Readonly<Record<string, Controller>> }>>;

type Controller = Readonly<Record<string, { readonly enabled: boolean }>>;

/** Permissions by the full name of the action, e.g. `api::article.article.find`. */
export type Permissions = ReadonlyMap<string, boolean>;

/** The actions of a controller. */
export interface PermissionGroup {
  /** E.g. `api::article.article`. */
  readonly uid: string;
  readonly actions: readonly string[];
}

/** The actions that every content type can have, in the order in which they are shown. */
export const coreActions = ['find', 'findOne', 'create', 'update', 'delete'] as const;

/**
 * The actions of plugins that are those of content types by another name. In code of a project such a name can mean
 * something else.
 */
const usualActions: ReadonlyMap<string, string> = new Map([
  ['plugin::upload.content-api.destroy', 'delete'],
  ['plugin::users-permissions.user.destroy', 'delete'],
  ['plugin::users-permissions.role.createRole', 'create'],
  ['plugin::users-permissions.role.updateRole', 'update'],
  ['plugin::users-permissions.role.deleteRole', 'delete'],
  ['plugin::i18n.locales.listLocales', 'find'],
  ['plugin::i18n.locales.updateLocales', 'update'],
  ['plugin::content-type-builder.content-types.getContentTypes', 'find'],
  ['plugin::content-type-builder.content-types.getContentType', 'findOne'],
  ['plugin::content-type-builder.components.getComponents', 'find'],
  ['plugin::content-type-builder.components.getComponent', 'findOne'],
]);

/** The name of the action among those of content types; its own if it has none there. */
export const usualAction = (uid: string, action: string): string => usualActions.get(`${uid}.${action}`) ?? action;

export const groupsOf = (tree: PermissionTree): readonly PermissionGroup[] =>
  Object.entries(tree).flatMap(([type, { controllers }]) =>
    Object.entries(controllers).map(([controller, actions]) => ({
      uid: `${type}.${controller}`,
      actions: Object.keys(actions),
    })),
  );

/** Whether there is a content type behind a group: its core actions are shown in columns. */
export const isContent = ({ uid }: { readonly uid: string }): boolean => uid.startsWith('api::');

const I18N = 'plugin::i18n';

/** The permission to do this to drafts, and to what is prepared, without publishing it. */
export const draftsOnly = (action: string): string => `${action}.drafts`;

/** The actions on content that can be limited to drafts. */
export const publishing = ['create', 'update'] as const;

/** Adds what the service names only where a role has it, because Strapi v4 has no such action. */
export const withOwnActions = (tree: PermissionTree, content: Content): PermissionTree =>
  withLocales(
    content.contentTypes
      .filter(({ uid, draftAndPublish }) => draftAndPublish && isContent({ uid }))
      .reduce((current, { uid }) => withDrafts(current, uid), tree),
  );

function withDrafts(tree: PermissionTree, uid: string): PermissionTree {
  const [type = '', controller = ''] = uid.split('.');
  const controllers = tree[type]?.controllers;
  const actions = controllers?.[controller];
  if (controllers === undefined || actions === undefined) return tree;
  const names = publishing.filter((name) => name in actions).map(draftsOnly);
  const added = { ...Object.fromEntries(names.map((name) => [name, { enabled: false }])), ...actions };
  return { ...tree, [type]: { controllers: { ...controllers, [controller]: added } } };
}

function withLocales(tree: PermissionTree): PermissionTree {
  const controllers = tree[I18N]?.controllers;
  if (controllers === undefined) return tree;
  const locales = { updateLocales: { enabled: false }, ...controllers['locales'] };
  return { ...tree, [I18N]: { controllers: { ...controllers, locales } } };
}

export const permissionsIn = (tree: PermissionTree): Permissions =>
  new Map(
    Object.entries(tree).flatMap(([type, { controllers }]) =>
      Object.entries(controllers).flatMap(([controller, actions]) =>
        Object.entries(actions).map(([action, { enabled }]) => [`${type}.${controller}.${action}`, enabled] as const),
      ),
    ),
  );

/** What the user may allow to a token, as far as the description of the content says it. */
export function grantable({ contentTypes, files, folders }: Content): PermissionTree {
  const none = (names: readonly string[]): Controller =>
    Object.fromEntries(names.map((name) => [name, { enabled: false }]));
  const types = contentTypes
    .filter((type) => isContent(type))
    .map(({ uid, actions }) => {
      const [type = '', controller = ''] = uid.split('.');
      return [type, { controllers: { [controller]: none(actions) } }] as const;
    });
  const ofFiles = (['find', 'upload', 'destroy'] as const).filter((name) => files[name]);
  const ofFolders = (['find', 'create', 'update', 'delete'] as const).filter((name) => folders[name]);
  const controllers = {
    ...(ofFiles.length > 0 && { 'content-api': none(ofFiles) }),
    ...(ofFolders.length > 0 && { folder: none(ofFolders) }),
  };
  return {
    ...Object.fromEntries(types),
    ...(Object.keys(controllers).length > 0 && { 'plugin::upload': { controllers } }),
  };
}

/** The changes with which a permission is set; setting it back is none. */
export function withChange(stored: Permissions, changes: Permissions, action: string, enabled: boolean): Permissions {
  const others = [...changes].filter(([name]) => name !== action);
  return new Map(stored.get(action) === enabled ? others : [...others, [action, enabled]]);
}

/** A tree with changes; what others changed in the meantime stays. */
export const applyChanges = (tree: PermissionTree, changes: Permissions): PermissionTree =>
  Object.fromEntries(
    Object.entries(tree).map(([type, { controllers }]) => [
      type,
      {
        controllers: Object.fromEntries(
          Object.entries(controllers).map(([controller, actions]) => [
            controller,
            Object.fromEntries(
              Object.entries(actions).map(([action, permission]) => {
                const enabled = changes.get(`${type}.${controller}.${action}`) ?? permission.enabled;
                return [action, { ...permission, enabled }];
              }),
            ),
          ]),
        ),
      },
    ]),
  );
