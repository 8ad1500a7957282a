import { queryOf, type ContentApi, type FormContext } from 'content-service/content-api';
import { StartError, type Route } from 'content-service/plugin';
import { describeError } from './describe-error.js';
import { description } from './description.js';
import { filePresenter, flatPresenter } from './presenters.js';
import { checkNames } from './reads/parse-request.js';
import { createReadActions } from './reads/read-actions.js';
import { numberOf } from './reads/number-of.js';
import type { Settings } from './settings.js';
import { createBodyForGuards } from './writes/body-for-guards.js';
import { createWriteActions, refusedTerms } from './writes/write-actions.js';

/**
 * Users, roles and log-in, files, locales, and the discovery of schemas: what clients of Strapi 5 ask of plugins.
 * Besides, what is asked of one entry: a route that takes its number takes its documentId here.
 */
const plugins = /^plugin::(?:users-permissions|upload|i18n\.locales|content-type-builder)\./;

/** Strapi 5's REST API. */
export function createContentApi(context: FormContext, settings: Settings): ContentApi {
  return {
    prefix: prefixOf(context.settings, settings),
    reads: createReadActions(context, settings),
    writes: createWriteActions(context, settings),
    refuses: refusedTerms,
    hasRoute: ({ action = '', path, entryOf }) =>
      plugins.test(action) || path === '/content-type-builder/types' || entryOf !== undefined,
    numberOf: async ({ type, id: documentId, request }, action = actionOf(request.method)) => {
      const { locale } = queryOf(request);
      return numberOf(context, { type, documentId, locale }, action);
    },
    formOf: ({ path }) => ({
      audience: 'documents',
      presenter: path.startsWith('/upload') ? filePresenter : flatPresenter,
      refusesUnknown: true,
      checkQuery: (query, type) => void checkNames(query, type, { strictParams: false }),
    }),
    bodyForGuards: createBodyForGuards(context),
    statusOf: (route, query) => (isUpload(route) && query['id'] === undefined ? 201 : undefined),
    describeError,
    description,
  };
}

/** @throws StartError if it is that of Strapi v4's API */
function prefixOf({ prefix: ofV4, codePrefix }: FormContext['settings'], { path, isNative }: Settings): string {
  const prefix = isNative && codePrefix !== ofV4 ? codePrefix : `${path}/api`;
  if (prefix !== ofV4) return prefix;
  throw new StartError(`${prefix} is the path of Strapi v4's API: set REST_PREFIX to another, such as /v4/api`);
}

/** By the method of a request for one entry. */
const actionOf = (method: string): Parameters<typeof numberOf>[2] =>
  method === 'PUT' ? 'update' : method === 'DELETE' ? 'delete' : 'find';

const isUpload = ({ method, path }: Route): boolean => method === 'POST' && path === '/upload';
