import { AppError } from '../../errors/app-error.js';
import { DEFINITIONS_PATH, isDeveloper } from '../contract/developer.js';
import type { PluginContext, Route, RouteRequest } from '../contract/plugin.js';
import { listDefinitions, parseChanges, prepareChanges, refuseInvalid } from './change-definitions.js';
import { replaceFiles } from './definition-files.js';

/** Tells a service that has loaded changed files from the one before. */
const started = Date.now();

const response = { type: 'object' } as const;
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

type Work = (request: RouteRequest, context: PluginContext) => Promise<unknown>;

/** Read and write the definition files of the project, in development and from this machine only. */
export function definitionRoutes(context: () => PluginContext): readonly Route[] {
  const handled = (work: Work): Pick<Route, 'action' | 'caching' | 'handle'> => ({
    action: undefined,
    caching: 'never',
    handle: async (request) => {
      if (!isDeveloper(context().settings.environment, request))
        throw new AppError(
          'forbidden',
          'Only for users who are logged in on this machine, at the address of this service',
        );
      return { body: { data: await work(request, context()) } };
    },
  });
  /** Writes come one after the other: what one has checked stays as it is until it is written. */
  let writing: Promise<unknown> = Promise.resolve();
  return [
    {
      method: 'GET',
      path: DEFINITIONS_PATH,
      description: { summary: 'Read the definition files, each with its version', response },
      ...handled(read),
    },
    {
      method: 'POST',
      path: `${DEFINITIONS_PATH}/preview`,
      description: {
        summary: 'Show what a change of definition files would do, without writing it',
        body: changes,
        response,
      },
      ...handled(preview),
    },
    {
      method: 'PUT',
      path: DEFINITIONS_PATH,
      description: { summary: 'Change definition files, all together or none', body: changes, response },
      ...handled((...request) => {
        const next = writing.then(() => write(...request));
        writing = next.catch(() => undefined);
        return next;
      }),
    },
  ];
}

const read: Work = async (_request, { settings }) => ({
  started,
  definitions: await refuseInvalid(() => listDefinitions(settings.folders.contentTypes)),
});

const preview: Work = async ({ body, signal, caller }, context) => {
  const { lineDifference } = await import('./line-difference.js'); // only needed here
  const { files, registry } = await prepareChanges(context, parseChanges(body), caller);
  return {
    files: files.map(({ uid, name, before = '', after = '' }) => ({
      uid,
      file: name,
      difference: lineDifference(before, after),
    })),
    stored: await refuseInvalid(() => context.project.definitions.plan(registry, signal)),
  };
};

const write: Work = async ({ body, caller }, context) => {
  const { files } = await prepareChanges(context, parseChanges(body), caller);
  await replaceFiles(context.settings.folders.contentTypes, files);
  return { written: files.flatMap(({ uid }) => uid ?? []) };
};
