import fs from 'node:fs/promises';
import path from 'node:path';
import express, { type RequestHandler } from 'express';
import lodash from 'lodash';
import { AppError } from '../../errors/app-error.js';
import { packageFolder } from '../../config/package-folder.js';
import { isRecord, type Data } from '../../config/record.js';
import type { Caller } from '../../documents/caller.js';
import type { Entries } from '../../documents/entries.js';
import { requireId } from '../../query/parse/input.js';
import { USER } from '../contract/access/parse-permissions.js';
import type { PluginContext, PluginFactory, Route, RouteRequest } from '../contract/plugin.js';
import { describeContent } from '../contract/describe-content.js';
import { DEFINITIONS_PATH, isDeveloper, mayReplaceLocales, schemaActions } from '../contract/developer.js';
import { namesOfUsers } from '../contract/names-of-users.js';
import { createStarted } from '../contract/started.js';
import { checkPreviews, parseSettings, type Identity, type Previews } from './settings.js';

/** The editor at `/admin`: a page that uses the public API, and the description of the content that it needs. */
export const createAdmin: PluginFactory = (settings, _findProvider, tolerate) => {
  const { previews, identity } = parseSettings(settings, tolerate);
  const context = createStarted<PluginContext>('admin');
  return {
    name: 'admin',
    pages: [{ path: PATH, title: 'Editor', description }],
    mounts: ({ settings: { prefix } }) => [{ path: PATH, handler: serveEditor({ api: prefix, ...identity }) }],
    start: async (started) => {
      checkPreviews(previews, started.registry);
      context.set(started);
    },
    routes: createRoutes(context.get, previews),
  };
};

type Handle = (context: PluginContext, request: RouteRequest, previews: Previews) => Promise<unknown>;

/** Everyone may ask; the answers contain only what the permissions of the caller cover. */
const createRoutes = (context: () => PluginContext, previews: Previews): readonly Route[] =>
  table.map(([method, path, summary, handle, { body, shortcut } = {}]) => ({
    method,
    path,
    action: undefined,
    ...(shortcut && { shortcut }),
    caching: 'never',
    description: { summary, response: { type: 'object' }, ...(body && { body }) },
    handle: async (request) => ({ body: { data: await handle(context(), request, previews) } }),
  }));

const describeAll: Handle = async (context, { caller, message }, previews) => {
  if (caller.kind === 'public') throw new AppError('unauthorized', 'Unauthorized');
  const { registry, entries, settings } = context;
  const hasLocales = registry.contentTypes.has(LOCALE);
  const locales = hasLocales ? await entries.findMany(LOCALE, { sort: 'id' }) : [];
  return {
    ...describeContent(context, caller, previews),
    account: {
      me: caller.may('plugin::users-permissions.user.me'),
      changePassword: caller.may('plugin::users-permissions.auth.changePassword'),
      preferences: await preferencesOf(entries, caller),
    },
    definitions: definitionRights(context, { caller, message }),
    replacesLocales: hasLocales && mayReplaceLocales(settings.environment, { caller, message }),
    locales: locales.map(({ code, name, isDefault }) => ({ code, name, isDefault: isDefault === true })),
  };
};

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

/** Users find what they have begun; whose the other drafts are, this does not tell. */
const listDrafts: Handle = async ({ registry, documents, http }, request) => {
  if (request.caller.user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  // Code of the project may hide entries from lists.
  const listed = [...registry.contentTypes.values()].filter((type) => http.answererOf(type, 'find') === 'core');
  const ids = await Promise.all(
    listed.map(async (type) => [type.uid, await documents.ownDraftsOf(type, request, MOST_DRAFTS)] as const),
  );
  return Object.fromEntries(ids.filter(([, own]) => own.length > 0));
};

/** Of a user, for each content type. */
const MOST_DRAFTS = 50;

/** What the log-in page needs to know, for everyone. */
const describeLogIn: Handle = async ({ mailer }, { caller }) => {
  const maySend = caller.may('plugin::users-permissions.auth.forgotPassword');
  return { sendsPasswords: maySend && mailer.isConnected };
};

/** What the editor keeps for the user who asks, by name; nothing for others. */
async function preferencesOf(entries: Entries, { user }: Caller): Promise<Data> {
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
  ['GET', '/admin/drafts', 'List by type the drafts that the user created or last changed, for the editor', listDrafts],
  ['GET', '/admin/account', 'Say whether users can request a new password by mail, for the editor', describeLogIn],
  [
    'PUT',
    '/admin/account',
    'Keep preferences of the user by name, for the editor; null removes one',
    keepPreferences,
    { body: { type: 'object' } },
  ],
];

const description =
  'find, write and publish content; until there is a user with the role editor, the log has a link that creates the first one';
const LOCALE = 'plugin::i18n.locale';

/** The path of the editor, which its build knows too. */
const PATH = '/admin';

/** Created by the build, in a clone and in a package. */
const folder = path.join(packageFolder, 'dist', 'admin');

/** Only scripts and styles of the editor itself run; images may be in the bucket of an upload provider. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the page says of itself to its script; `api` is the path of the API. */
type PageData = Identity & { readonly api: string };

/** Serves the editor's files, and its page for each of its addresses; passes on everything else. */
function serveEditor(data: PageData): RequestHandler {
  const router = express.Router();
  // The names of these files contain a hash of their content.
  router.use('/assets', express.static(path.join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y' }));
  router.get('/{*path}', (request, response, next) => {
    // A missing script must not be answered with a page.
    if (request.path.startsWith('/assets/') || !request.accepts('html')) return next();
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
    });
    void readPage(data).then((page) => response.type('html').send(page), next);
  });
  return router;
}

async function readPage(data: PageData): Promise<string> {
  const page = await fs.readFile(path.join(folder, 'index.html'), 'utf8');
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${lodash.escape(value)}"`);
  return page.replace('data-api="/api"', () => attributes.join(' '));
}
