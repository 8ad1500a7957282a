import type { RequestHandler } from 'express';
import { isLocalRequest } from '../../documents/request-context.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { changesPage, changesPolicy } from './changes-page.js';
import { describeService, policy } from './describe-service.js';

/** The page of the service itself. */
const health = {
  path: '/_ready',
  title: 'Health',
  description: 'an empty page if the service is ready, otherwise an error',
};

const changes = {
  path: '/changes',
  title: 'Changes',
  description: 'what clients that follow changes receive, as it happens',
};

/** Lists the content types and pages at `/`, in development and for local requests only; `/changes` shows changes. */
export const createLandingPage: PluginFactory = () => ({
  name: 'landing-page',
  mounts: (context) => [{ path: '/', handler: createHandler(context) }],
});

function createHandler({ registry, entries, http, settings }: PluginContext): RequestHandler {
  const pages: Readonly<Record<string, (types: readonly ContentType[]) => Promise<ShownPage | undefined>>> = {
    '/': async (types) => {
      const listed = await Promise.all(types.map(async (type) => ({ type, count: await entries.count(type.uid) })));
      const others = settings.events.record ? [changes, health] : [health];
      return { html: describeService(listed, [...http.pages, ...others], settings), policy };
    },
    [changes.path]: async (types) =>
      settings.events.record ? { html: changesPage(types, settings.prefix), policy: changesPolicy } : undefined,
  };
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const page = isRead ? pages[request.path] : undefined;
    if (page === undefined || settings.environment !== 'development' || !isLocalRequest(request)) return next();
    const shown = await page([...registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::')));
    if (shown === undefined) return next();
    response.set({
      'Content-Security-Policy': shown.policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.type('html').send(shown.html);
  };
}

interface ShownPage {
  readonly html: string;
  readonly policy: string;
}
