import type { Request, RequestHandler } from 'express';
import lodash from 'lodash';
import { answer, type Action, type AnswerParts } from '../calls/answer.js';
import { readerOf } from '../calls/body.js';
import { refuseBypass } from '../calls/who-answers.js';
import type { ContentType } from '../content-types/model/types.js';
import { createRequestContext } from '../plugins/contract/http/request-context.js';
import { AppError } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import type { CoreAction } from '../plugins/contract/answerer.js';
import type {
  ContentApi,
  ContentRead,
  ContentRequest,
  ContentWrite,
  ContentWriteName,
} from '../plugins/contract/content-api.js';
import {
  contentTypeRoutes,
  type ContentTypeRoute,
  type ContentTypeRouteName,
  isFor,
  type HasRoute,
} from '../plugins/contract/content-type-routes.js';
import type { BodyReader, ReceivedForm } from '../plugins/contract/forms.js';
import type { RestContext } from './action.js';
import type { Guard } from './guards.js';
import { logDataHints, logHints } from './log-hints.js';
import type { Admit } from './middleware/admission.js';
import { setCaching } from './middleware/edge.js';
import { createReadActions } from './read-actions.js';
import { isRead } from './read-requests.js';
import { sendAnswer } from './response/json-response.js';
import { findType, setAllow, tellMethods, type NamedRoute } from './routes.js';
import { createScheduleReplies, createScheduleWrites } from './schedule-actions.js';
import { createTrashReplies, createTrashWrites } from './trash-actions.js';
import { createWriteActions } from './write-actions.js';

/** What handles the requests for content types, in any form of the API. */
export interface ContentTypeOptions extends AnswerParts {
  /** By the lower-case name in their path. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** The guards of the project before actions. */
  readonly guard: Guard;
  readonly bodyReaders: readonly BodyReader[];
  readonly cacheControl: string | undefined;
  readonly admit: Admit;
}

/** By their names; those that a form lacks do not exist. */
type Actions = Readonly<Partial<Record<ContentTypeRouteName, Action>>>;

const readsOf = (reads: Readonly<Partial<Record<ContentTypeRouteName, ContentRead>>>): Actions =>
  Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, { read }]));

/** @param refuses the terms that a form refuses in addition to those of the routes */
const writesOf = (
  writes: Readonly<Partial<Record<ContentTypeRouteName, ContentWrite>>>,
  refuses: ContentApi['refuses'] = {},
): Actions =>
  Object.fromEntries(
    Object.entries(writes).map(([name, write]) => {
      const always = contentTypeRoutes[name as ContentTypeRouteName].refuses;
      return [name, { write, refuses: { ...always, ...refuses[name as ContentWriteName] } }];
    }),
  );

/** What a form of the API does with requests for content types. */
interface ContentTypeForm {
  readonly actions: Actions;
  readonly isOffered: (row: NamedRoute, type: ContentType, request: Request) => boolean;
  /** Refuses what code of the project does. @throws AppError badRequest */
  readonly refuse?: (row: NamedRoute, asked: ContentRequest) => void;
  /** Tells developers which parts of a request have no effect. */
  readonly logHints: ((asked: ContentRequest, isWritten: boolean) => void) | undefined;
  /** What guards know an entry by. */
  readonly idForGuards?: ((asked: ContentRequest, action: string) => Promise<string>) | undefined;
  /** What guards know of a body, which is written after them; undefined: there are none. */
  readonly bodyForGuards?: ((asked: ContentRequest, action: string) => Promise<unknown>) | undefined;
}

/** Creates the handlers of requests on a path of content types, which have one of these routes each or none. */
function createContentTypeHandler(
  options: ContentTypeOptions,
  form: ContentTypeForm,
): (rows: readonly NamedRoute[]) => RequestHandler {
  const { types, cacheControl, admit, guard, bodyReaders } = options;
  const { actions, isOffered, refuse, logHints, idForGuards, bodyForGuards } = form;
  return (rows) => async (request, response, next) => {
    const { name, id = '' } = request.params as { name: string; id?: string };
    const type = findType(types, name);
    const offered =
      type === undefined ? [] : rows.filter((row) => actions[row.name] !== undefined && isOffered(row, type, request));
    const methods = offered.map((row) => row.method);
    if (request.method === 'OPTIONS') return tellMethods(methods, response);
    if (type === undefined || offered.length === 0) return next();
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = offered.find((row) => row.method === method);
    const act = route && actions[route.name];
    if (route === undefined || act === undefined) {
      if (isRead(request)) return next();
      setAllow(methods, response);
      throw new AppError('methodNotAllowed');
    }
    setCaching('public', request, response, type.cacheControl ?? cacheControl);
    const action = `${type.uid}.${route.action}`;
    await admit(request, response, { action }, async ({ caller }) => {
      // Guards see what will be written; a deletion has no data.
      const isWritten = method === 'POST' || method === 'PUT';
      const run = async (form: ReceivedForm | undefined): Promise<void> => {
        // One literal, because V8 takes 6 µs for a spread with further properties.
        const { signal, bytesRead } = createRequestContext(caller, response);
        const asked = { caller, signal, bytesRead, type, request, response, id, form };
        logHints?.(asked, isWritten);
        const named = idForGuards === undefined ? id : await idForGuards(asked, action);
        const shown = isWritten ? await bodyForGuards?.(asked, action) : undefined;
        if (shown !== undefined) request.body = shown;
        await guard({ action, request, response, caller, id: named, byNumber: true, body: request.body, form });
        refuse?.(route, asked);
        await sendAnswer(
          response,
          await answer(options, act, shown === undefined ? asked : { ...asked, isGuarded: true }),
        );
      };
      const reader = isWritten ? readerOf(bodyReaders, request) : undefined;
      await (reader === undefined ? run(undefined) : reader.read(request, run));
    });
  };
}

/** What the API in Strapi v4's form needs besides. */
export interface RestFormOptions extends RestContext {
  readonly hasRoute: HasRoute;
  /**
   * The actions that the routes of project code leave to the service for this request; undefined: there are no such
   * routes.
   */
  readonly coreActions?: ((request: Request) => readonly string[] | undefined) | undefined;
  readonly log: Pick<Logger, 'info'>;
}

/** The handlers of requests in Strapi v4's form. */
export const createRestHandler = (options: ContentTypeOptions & RestFormOptions) =>
  createContentTypeHandler(options, {
    actions: {
      ...readsOf(createReadActions(options)),
      ...lodash.mapValues({ ...createScheduleReplies(options), ...createTrashReplies(options) }, (reply) => ({
        reply,
      })),
      ...writesOf({ ...createWriteActions(options), ...createScheduleWrites(options), ...createTrashWrites(options) }),
    },
    isOffered: (row, type, request) => isOffered(row, type, request, options),
    logHints: options.development
      ? (asked, isWritten) => {
          logHints(asked, options);
          if (isWritten) logDataHints(asked, options.log);
        }
      : undefined,
  });

/** The handlers of requests in another form. */
export function createFormHandler(
  { reads, writes, refuses, numberOf, bodyForGuards }: ContentApi,
  options: ContentTypeOptions & Pick<RestContext, 'answererOf'>,
): (rows: readonly NamedRoute[]) => RequestHandler {
  const { answererOf } = options;
  const isGuarded = (type: ContentType, action: string): boolean =>
    answererOf(type, nameOf(type, action)) === 'guarded';
  const actions: Actions = { ...readsOf(reads), ...writesOf(writes, refuses) };
  return createContentTypeHandler(options, {
    actions,
    refuse: ({ action }, { type, request }) =>
      refuseBypass(answererOf, 'form', type, [action as CoreAction], request.path),
    isOffered: (row, type) => isFor(row, type) && answererOf(type, row.action as CoreAction) !== 'none',
    logHints: undefined,
    idForGuards: async (asked, action) => {
      const { type, id } = asked;
      if (id === '' || numberOf === undefined || !isGuarded(type, action)) return id;
      const number = await numberOf(asked);
      if (number === undefined) throw new AppError('notFound');
      return String(number);
    },
    bodyForGuards: async (asked, action) => (isGuarded(asked.type, action) ? bodyForGuards?.(asked) : undefined),
  });
}

const nameOf = ({ uid }: ContentType, action: string): CoreAction => action.slice(uid.length + 1) as CoreAction;

function isOffered(
  row: ContentTypeRoute,
  type: ContentType,
  request: Request,
  { hasRoute, coreActions }: Pick<RestFormOptions, 'hasRoute' | 'coreActions'>,
): boolean {
  if (!isFor(row, type)) return false;
  if (row.shortcutOf !== undefined) return hasRoute(type, row);
  // Code of a project that replaces a route of Strapi v4, or removes it, leaves it to the service for some requests.
  return coreActions?.(request)?.includes(`${type.uid}.${row.action}`) !== false;
}
