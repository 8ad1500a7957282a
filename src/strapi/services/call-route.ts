import { system } from '../../documents/caller.js';
import type { Named, StrapiContext } from '../strapi.js';

/** Calls a route of the service from project code, with all permissions; returns the body of the response. */
export type CallRoute = (action: string, input: { readonly params?: Named; readonly body?: unknown }) => Promise<Named>;

const noRequest = { query: {}, files: undefined, address: '', message: undefined as never };

/** @throws Error for a route of a plugin that is disabled */
export const createCallRoute =
  ({ runtime }: StrapiContext): CallRoute =>
  async (action, { params = {}, body }) => {
    const route = runtime(action).plugins.http.routes.find((candidate) => candidate.action === action);
    if (route === undefined) throw new Error(`${action} is not available: its plugin is disabled`);
    const reply = await route.handle({ ...noRequest, caller: system, params, body });
    return reply.body ?? {};
  };
