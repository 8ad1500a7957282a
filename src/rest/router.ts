import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { ContentType, Registry } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import { createController, type Handle, type RestAction, type RestContext } from './controller.js';
import { respondToErrors, type ErrorLog } from './error-response.js';

export interface RestOptions extends RestContext {
  readonly registry: Registry;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly log: ErrorLog;
}

/** By path and method; other methods on the same path are answered with 405. */
const collectionActions: Methods = { GET: 'find', POST: 'create' };
const entryActions: Methods = { GET: 'findOne', PUT: 'update', DELETE: 'delete' };
const singleActions: Methods = { GET: 'findSingle', PUT: 'updateSingle', DELETE: 'deleteSingle' };

type Methods = Readonly<Partial<Record<string, RestAction>>>;

interface Resource {
  readonly type: ContentType;
  readonly actions: Methods;
  /** Of one entry; undefined for single types. */
  readonly entry: Methods | undefined;
}

/** The REST API below `/api`: one route for all content types, so that their number costs nothing. */
export function createRestApp(options: RestOptions): Express {
  const resources = resourcesOf(options.registry);
  const controller = createController(options);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const handle =
    (methodsOf: (resource: Resource) => Methods | undefined): RequestHandler =>
    async (request, response) => {
      const { name, id } = request.params as { name: string; id?: string };
      const resource = resources.get(name.toLowerCase());
      const methods = resource && methodsOf(resource);
      if (resource === undefined || methods === undefined) throw new AppError('notFound');
      const action: Handle = controller[actionOf(methods, request, response)];
      await action(resource.type, request, response, id ?? '');
    };
  const bodies = [
    express.json({ limit: options.bodyLimit, strict: false }),
    express.urlencoded({ limit: options.bodyLimit, extended: true }),
  ];
  app.all(
    '/api/:name',
    ...bodies,
    handle(({ actions }) => actions),
  );
  app.all(
    '/api/:name/:id',
    ...bodies,
    handle(({ entry }) => entry),
  );
  app.use(() => {
    throw new AppError('notFound');
  });
  app.use(respondToErrors(options.log));
  return app;
}

function actionOf(methods: Methods, { method }: Request, response: Response): RestAction {
  const action = methods[method === 'HEAD' ? 'GET' : method];
  if (action !== undefined) return action;
  response.setHeader('Allow', ['HEAD', ...Object.keys(methods)].join(', '));
  throw new AppError('methodNotAllowed');
}

/** Content types of the owner by the name in their path, in lower case: paths are not case sensitive. */
function resourcesOf({ contentTypes }: Registry): ReadonlyMap<string, Resource> {
  const own = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
  return new Map(
    own.map((type): [string, Resource] =>
      type.kind === 'singleType'
        ? [type.singularName.toLowerCase(), { type, actions: singleActions, entry: undefined }]
        : [type.pluralName.toLowerCase(), { type, actions: collectionActions, entry: entryActions }],
    ),
  );
}
