import type { RequestHandler } from 'express';
import type { ContentType } from '../../content-types/types.js';
import type { PluginContext, PluginFactory } from '../plugin.js';
import { describeService, policy } from './describe-service.js';

/** What the service itself has to look at. */
const health = { path: '/_ready', title: 'Health', does: 'empty when requests may come, an error when not' };

/** In development: what is served here, at `/`. */
export const createLandingPage: PluginFactory = () => {
  let context: PluginContext;
  const handler: RequestHandler = async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.path !== '/' || context.environment !== 'development') return next();
    const { contentTypes } = context.registry;
    const own = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const listed = await Promise.all(own.map(async (type) => ({ type, count: await count(type) })));
    const html = describeService(listed, [...context.pages, health]);
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
