import type { RequestHandler } from 'express';
import { isLocalRequest } from '../../documents/request-context.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { PluginContext, PluginFactory } from '../contract/plugin.js';
import { describeService, policy } from './describe-service.js';

/** The page of the service itself. */
const health = {
  path: '/_ready',
  title: 'Health',
  description: 'an empty page if the service is ready, otherwise an error',
};

/** Lists the content types and pages at `/`, in development and for local requests only. */
export const createLandingPage: PluginFactory = () => {
  let context: PluginContext;
  const handler: RequestHandler = async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.path !== '/' || context.settings.environment !== 'development' || !isLocalRequest(request))
      return next();
    const { contentTypes } = context.registry;
    const ownTypes = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const listed = await Promise.all(ownTypes.map(async (type) => ({ type, count: await count(type) })));
    const html = describeService(listed, [...context.http.pages, health], context.settings.drafts);
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.type('html').send(html);
  };
  const count = ({ uid }: ContentType): Promise<number> => context.entries.count(uid);
  return {
    name: 'landing-page',
    mounts: [{ path: '/', handler }],
    start: async (started) => {
      context = started;
    },
  };
};
