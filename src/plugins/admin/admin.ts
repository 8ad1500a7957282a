import { AppError } from '../../errors/app-error.js';
import type { PluginContext, PluginFactory, Route } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { describeContent } from './describe-content.js';
import { PATH, serveEditor } from './serve-editor.js';
import { checkPreviews, parseSettings, type Previews } from './settings.js';

/** The editor at `/admin`: a page that reads and writes over the public API, and the description of the content that it needs for that. */
export const createAdmin: PluginFactory = (settings, _findProvider, tolerate) => {
  const previews = parseSettings(settings, tolerate);
  const context = createStarted<PluginContext>('admin');
  return {
    name: 'admin',
    pages: [{ path: PATH, title: 'Editor', description }],
    mounts: ({ settings: { prefix } }) => [{ path: PATH, handler: serveEditor(prefix) }],
    start: async (started) => {
      checkPreviews(previews, started.registry);
      context.set(started);
    },
    routes: [contentRoute(context.get, previews), accountRoute(context.get)],
  };
};

/** Everyone may ask; the answer contains only what the permissions of the caller cover. */
const contentRoute = (context: () => PluginContext, previews: Previews): Route => ({
  method: 'GET',
  path: '/admin/content',
  action: undefined,
  caching: 'never',
  description: {
    summary: 'Describe the content types that the caller may read or write, for the editor',
    response: { type: 'object' },
  },
  handle: async ({ caller }) => {
    if (caller.kind === 'public') throw new AppError('unauthorized', 'Unauthorized');
    const { registry, entries, settings, auth, http } = context();
    const hasLocales = registry.contentTypes.has(LOCALE);
    const locales = hasLocales ? await entries.findMany(LOCALE, { sort: 'id' }) : [];
    return {
      body: {
        data: {
          ...describeContent(registry, caller, {
            previews,
            offered: auth.actions,
            drafts: settings.drafts,
            fileLimit: http.fileLimit,
          }),
          locales: locales.map(({ code, name, isDefault }) => ({ code, name, isDefault: isDefault === true })),
        },
      },
    };
  },
});

/** What the log-in page needs to know, for everyone. */
const accountRoute = (context: () => PluginContext): Route => ({
  method: 'GET',
  path: '/admin/account',
  action: undefined,
  caching: 'never',
  description: {
    summary: 'Say whether users can request a new password by mail, for the editor',
    response: { type: 'object' },
  },
  handle: async ({ caller }) => {
    const maySend = caller.may('plugin::users-permissions.auth.forgotPassword');
    return { body: { data: { sendsPasswords: maySend && context().mailer.isConnected } } };
  },
});

const description =
  'find, write and publish content; until there is a user with the role editor, the log has a link that creates the first one';
const LOCALE = 'plugin::i18n.locale';
