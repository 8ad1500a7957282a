import type { Context } from 'koa';
import { callerIn } from '../../plugins/contract/code-state.js';
import type { Route } from '../../plugins/contract/plugin.js';
import { answer, runRoute } from '../project/built-in-plugins.js';
import type { Model, Named, Strapi } from '../strapi.js';

const ACTION = 'createLocalization';

/** Marks the service's own. */
const OWN = Symbol('own');

const isLocalizedModel = ({ pluginOptions }: Model): boolean =>
  (pluginOptions as Named<Named | undefined> | undefined)?.['i18n']?.['localized'] === true;

/**
 * Adds the action that creates a localization to the controller of each localized content type of an API, as i18n does
 * in Strapi v4: routes of the project can name it, and code can call and replace it.
 * @param routeOf the route of the service that does an action
 */
export function addLocalizationActions(
  strapi: Strapi,
  models: readonly Model[],
  routeOf: (action: string) => Route | undefined,
): void {
  for (const model of models.filter(({ uid }) => uid.startsWith('api::'))) {
    const controller = isLocalizedModel(model) ? strapi.controller(model.uid) : undefined;
    if (controller === undefined || typeof controller[ACTION] === 'function') continue;
    const run = async (context: Context): Promise<void> => {
      const route = routeOf(`${model.uid}.${ACTION}`);
      if (route !== undefined) answer(context, await runRoute(route, context, callerIn(context.state)));
    };
    controller[ACTION] = Object.assign(run, { [OWN]: true });
  }
}

/** Whether a handler is this action of the service: code takes no part in it. */
export function isOwnLocalization(strapi: Strapi, handler: unknown): boolean {
  const [, uid = '', action] = /^(api::[^.]+\.[^.]+)\.([^.]+)$/.exec(String(handler)) ?? [];
  const found: unknown = action === ACTION ? strapi.controller(uid)?.[ACTION] : undefined;
  return typeof found === 'function' && OWN in found;
}
