import {
  AppError,
  describeContent,
  isDeveloper,
  namesOfUsers,
  refuseAll,
  requireId,
  type Caller,
  type ContentType,
  type PluginContext,
  type Route,
  type RouteRequest,
  isRecord,
  type Data,
} from 'content-service/plugin';
import { announcement, announcePresence, endPresence, hasPresence } from './presence.js';
import { readDesk } from './desk.js';
import { privateValuesOf, readPrivateValues } from './private-values.js';
import { PATH } from './serve.js';
import { originsOf, type Previews } from './settings.js';
import { versionsSeenBy } from './versions.js';

type Handle = (context: PluginContext, request: RouteRequest, previews: Previews) => Promise<unknown>;

/** Everyone may ask; the answers contain only what the permissions of the caller cover. */
export const createRoutes = (context: () => PluginContext, previews: Previews): readonly Route[] =>
  table.map(([method, path, summary, handle, { body, shortcut } = {}]) => ({
    method,
    path,
    action: undefined,
    ...(shortcut && { shortcut }),
    ...(method !== 'GET' && { refuses: refuseAll('it writes no entry') }),
    caching: 'never',
    description: { summary, response: { type: 'object' }, ...(body && { body }) },
    handle: async (request) => ({ body: { data: await handle(context(), request, previews) } }),
  }));

const describeAll: Handle = async (context, { caller, message }, previews) => {
  if (caller.kind === 'public') throw new AppError('unauthorized', 'Unauthorized');
  const { registry, entries, settings, http } = context;
  const hasLocales = registry.contentTypes.has(LOCALE);
  const locales = hasLocales ? await entries.findMany(LOCALE, { sort: 'id' }) : [];
  const { contentTypes, ...described } = describeContent(context, caller, previews);
  const hasVersions = versionsSeenBy(context, caller);
  const ofType = (type: ContentType | undefined): Data =>
    type === undefined
      ? {}
      : {
          ...(hasPresence(context, type, caller) && { presence: true }),
          ...(hasVersions(type) && { versions: true }),
        };
  const privateOf = (uid: string): ReadonlySet<string> => {
    const type = registry.contentTypes.get(uid);
    return new Set(type === undefined ? [] : privateValuesOf(type, caller));
  };
  return {
    ...described,
    contentTypes: contentTypes.map((type) => {
      const isPrivate = privateOf(type.uid);
      return {
        ...type,
        ...ofType(registry.contentTypes.get(type.uid)),
        attributes: type.attributes.map((one) => ({ ...one, ...(isPrivate.has(one.name) && { private: true }) })),
      };
    }),
    frames: originsOf(previews),
    account: {
      me: caller.may('plugin::users-permissions.user.me'),
      changePassword: caller.may('plugin::users-permissions.auth.changePassword'),
      preferences: await preferencesOf(entries, caller),
    },
    definitions: definitionRights(context, { caller, message }),
    readsAudit: readsAudit(http.routes, caller),
    replacesLocales:
      hasLocales && (caller.may(REPLACE_LOCALES) || isDeveloper(settings.environment, { caller, message })),
    declaresLocales: context.locales.areDeclared(),
    declaredRoles: caller.may('plugin::users-permissions.role.find') ? context.auth.declaredRoles : [],
    locales: locales.map(({ code, name, isDefault }) => ({ code, name, isDefault: isDefault === true })),
  };
};

/** Whether there is an audit log that the caller may read: its route says which action that needs. */
function readsAudit(routes: PluginContext['http']['routes'], caller: Caller): boolean {
  const action = routes.find(({ path }) => path === AUDIT_PATH)?.action;
  return action !== undefined && caller.may(action);
}

/** Whether the caller may see how all content types are defined, and change that. */
function definitionRights(
  { settings, auth, http }: PluginContext,
  request: Pick<RouteRequest, 'caller' | 'message'>,
): Readonly<Record<'find' | 'build', boolean>> {
  const isOffered = http.routes.some(({ path }) => path === DEFINITIONS_PATH);
  const build = isOffered && isDeveloper(settings.environment, request);
  const isGranted = (action: string): boolean => auth.actions.includes(action) && request.caller.may(action);
  return { find: build || schemaActions.every(isGranted), build };
}

/** Who may change an entry sees the names of the users who wrote it, whether they may list users or not. */
const nameWriters: Handle = async ({ registry, documents, entries }, { caller, params: { uid = '', id = '' } }) => {
  if (caller.kind === 'public') throw new AppError('unauthorized', 'Unauthorized');
  const type = registry.contentTypes.get(uid);
  if (type === undefined) throw new AppError('notFound');
  const { createdBy, updatedBy } = await documents.writersOf(type, requireId(id), caller);
  const names = await namesOfUsers({ registry, entries }, [createdBy, updatedBy]);
  return { createdBy: names.get(createdBy) ?? null, updatedBy: names.get(updatedBy) ?? null };
};

/** What the log-in page needs to know, for everyone. */
const describeLogIn: Handle = async ({ mailer, auth, settings: { publicUrl = '', prefix } }, { caller }) => {
  const may = (name: string): boolean => caller.may(`plugin::users-permissions.auth.${name}`);
  const { passwords, providers } = auth.logIns;
  const page = encodeURIComponent(`${publicUrl}${PATH}`);
  return {
    passwords,
    sendsPasswords: passwords && may('forgotPassword') && mailer.isConnected,
    providers: (may('connect') && may('callback') ? providers : []).map(({ name, label }) => ({
      label,
      // The path of a page below that of the editor can be added.
      address: `${publicUrl}${prefix}/connect/${name}?callback=${page}`,
    })),
  };
};

/** What the editor keeps for the user who asks, by name; nothing for others. */
async function preferencesOf(entries: PluginContext['entries'], { user }: Caller): Promise<Data> {
  if (user === undefined) return {};
  const { editorPreferences } = await entries.findOne(USER, user, { fields: ['editorPreferences'] });
  return isRecord(editorPreferences) ? editorPreferences : {};
}

/** Users change what is kept for themselves; nobody else sees it. */
const keepPreferences: Handle = async ({ entries, storage }, { caller, body }) => {
  if (caller.user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  if (!isRecord(body)) throw new AppError('badRequest', 'Preferences must be an object');
  const { user } = caller;
  // One change after the other: each replaces what the former has stored.
  return storage.locks.hold(`preferences of user ${user}`, async () => {
    const changed = Object.entries({ ...(await preferencesOf(entries, caller)), ...body });
    const editorPreferences = Object.fromEntries(changed.filter(([, value]) => value !== null));
    if (JSON.stringify(editorPreferences).length > MOST_CHARACTERS)
      throw new AppError('badRequest', `Preferences must have at most ${MOST_CHARACTERS} characters as JSON`);
    await entries.update(USER, user, { editorPreferences });
    return editorPreferences;
  });
};

/** Of the preferences of a user. */
const MOST_CHARACTERS = 20_000;

/** Method, path, summary, handler and more. */
const table: readonly (readonly [
  Route['method'],
  string,
  string,
  Handle,
  { readonly body?: Data; readonly shortcut?: NonNullable<Route['shortcut']> }?,
])[] = [
  [
    'GET',
    '/admin/content',
    'Describe the content types that the caller may read or write, for the editor',
    describeAll,
  ],
  [
    'GET',
    '/admin/writers/:uid/:id',
    'Name the users who created and last changed an entry, for the editor',
    nameWriters,
    { shortcut: { type: ':uid', shortcutOf: ['findOne', 'update'], allowedWithGuards: false } },
  ],
  [
    'GET',
    '/admin/private/:uid/:id',
    'Read the private values of an entry that the user may change, for the editor',
    (context, request) => readPrivateValues(context, request),
    { shortcut: { type: ':uid', shortcutOf: ['findOne', 'update'], allowedWithGuards: false } },
  ],
  [
    'PUT',
    '/admin/presence/:uid/:id',
    'Say that the user has an entry open, and read who else has, for the editor',
    announcePresence,
    { body: announcement, shortcut: { type: ':uid', shortcutOf: ['findOne'], allowedWithGuards: false } },
  ],
  ['DELETE', '/admin/presence/:session', 'Say that the user has closed it, for the editor', endPresence],
  [
    'GET',
    '/admin/desk',
    'List by type the drafts of the user and of others, what is to be published, what was sent back and what was published and changed lately, for the editor',
    (context, request) => readDesk(context, request),
  ],
  [
    'GET',
    '/admin/account',
    'Say how users can log in, and whether they get a new password, for the editor',
    describeLogIn,
  ],
  [
    'PUT',
    '/admin/account',
    'Keep preferences of the user by name, for the editor; null removes one',
    keepPreferences,
    { body: { type: 'object' } },
  ],
];

const USER = 'plugin::users-permissions.user';
const LOCALE = 'plugin::i18n.locale';
/** The action that lets a role replace the locales everywhere. */
const REPLACE_LOCALES = 'plugin::i18n.locales.updateLocales';

/** The route of the audit log, which there is with its plugin. */
const AUDIT_PATH = '/audit';

/** The route of the definition files, which there is in development only. */
const DEFINITIONS_PATH = '/content-type-builder/definitions';
/** The actions of the routes that describe all content types and components. */
const schemaActions = ['content-types.getContentTypes', 'components.getComponents'].map(
  (name) => `plugin::content-type-builder.${name}`,
);
