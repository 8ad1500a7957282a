import type { Context } from 'koa';
import { isLocalized } from '../../content-types/model/localized.js';
import { answer, runRoute } from '../project/built-in-plugins.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Route } from '../../plugins/contract/routes.js';
import type { Named, Strapi } from '../strapi.js';

/**
 * Adds to each localized content type the route that creates a localization, with the prefix of its routes, as i18n
 * does in Strapi v4.
 */
export function addLocalizationRoutes(strapi: Strapi, registry: Registry, routes: readonly Route[]): void {
  for (const type of registry.contentTypes.values()) {
    const [, apiName = '', name = ''] = /^api::([^.]+)\.([^.]+)$/.exec(type.uid) ?? [];
    if (apiName === '' || !isLocalized(type)) continue;
    const action = `${type.uid}.createLocalization`;
    const route = routes.find((candidate) => candidate.action === action);
    const router = (strapi.api[apiName]?.routes as Named | undefined)?.[name] as Named | undefined;
    if (route === undefined || router?.['routes'] === undefined) continue;
    const handler = async (context: Context): Promise<void> => answer(context, await runRoute(route, context));
    const path = route.path;
    router['routes'].push({ method: 'POST', path, handler, config: { auth: { scope: [action] } } });
  }
}
