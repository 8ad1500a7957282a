import type { Data } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { BuiltInContext } from '../contract/built-in.js';
import { DEFINITIONS_PATH, isDeveloper } from '../contract/developer.js';
import { createKeyedMutex } from '../contract/distributed-lock.js';
import type { Route, RouteRequest } from '../contract/plugin.js';
import { listDefinitions, parseChanges, prepareChanges, refuseInvalid } from './change-definitions.js';
import { replaceFiles, versionOf } from '../../content-types/write/definition-files.js';

/** Tells a service that has loaded changed files from the one before. */
const started = Date.now();

const changes = {
  type: 'object',
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['uid', 'definition'],
        properties: {
          uid: { type: 'string' },
          version: { type: ['string', 'null'] },
          definition: { type: ['object', 'null'] },
        },
      },
    },
  },
} as const;

type Work = (request: RouteRequest, context: BuiltInContext) => Promise<unknown>;

/** Read and write the definition files of the project, in development and from this machine only. */
export function definitionRoutes(context: () => BuiltInContext): readonly Route[] {
  /** Writes come one after the other: what one has checked stays as it is until it is written. */
  const inTurn = createKeyedMutex();
  return table.map(([method, path, summary, work, body]) => ({
    method,
    path: `${DEFINITIONS_PATH}${path}`,
    action: undefined,
    caching: 'never',
    description: { summary, response: { type: 'object' }, ...(body && { body }) },
    handle: async (request) => {
      if (!isDeveloper(context().settings.environment, request))
        throw new AppError(
          'forbidden',
          'Only for users who are logged in on this machine, at the address of this service',
        );
      const run = (): Promise<unknown> => work(request, context());
      return { body: { data: await (method === 'PUT' ? inTurn(DEFINITIONS_PATH, run) : run()) } };
    },
  }));
}

const read: Work = async (_request, { settings }) => ({
  started,
  definitions: await refuseInvalid(() => listDefinitions(settings.folders.contentTypes)),
});

const preview: Work = async ({ body, signal, caller }, context) => {
  const { files, registry } = await prepareChanges(context, parseChanges(body), caller);
  return {
    files: files.map(({ uid, name, before = null, after = null }) => ({ uid, file: name, before, after })),
    stored: await refuseInvalid(() => context.project.definitions.plan(registry, signal)),
  };
};

const write: Work = async ({ body, caller }, context) => {
  const { files } = await prepareChanges(context, parseChanges(body), caller);
  await replaceFiles(context.settings.folders.contentTypes, files);
  for (const { uid, name, before, after } of files)
    await context.storage.recordActivity({
      action: 'define',
      type: uid ?? name,
      ...(before !== undefined && { before: versionOf(before) }),
      ...(after !== undefined && { hash: versionOf(after) }),
    });
  return { written: files.flatMap(({ uid }) => uid ?? []) };
};

/** Method, path, summary, handler and body. */
const table: readonly (readonly [Route['method'], string, string, Work, Data?])[] = [
  ['GET', '', 'Read the definition files, each with its version', read],
  ['POST', '/preview', 'Show what a change of definition files would do, without writing it', preview, changes],
  ['PUT', '', 'Change definition files, all together or none', write, changes],
];
