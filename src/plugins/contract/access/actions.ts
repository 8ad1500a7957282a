import { unknownName } from '../../../errors/nearest-name.js';
import type { Registry } from '../../../content-types/model/types.js';
import { isOwnType } from '../../../documents/listings.js';
import { AppError } from '../../../errors/app-error.js';
import { rulesOfDrafts } from './access.js';
import { actionsOf } from '../content-type-routes.js';
import type { Route } from '../plugin.js';
import type { BuiltInPlugin } from '../built-in.js';

/** Every action that can be granted, named as in Strapi v4: those of the project's content types, then of routes. */
export function listActions(
  registry: Registry,
  plugins: readonly BuiltInPlugin[],
  routes: readonly Route[],
): readonly string[] {
  const ownTypes = [...registry.contentTypes.values()].filter(isOwnType);
  const actions = [
    ...ownTypes.flatMap(({ uid, kind }) => actionsOf(kind).map((action) => `${uid}.${action}`)),
    ...routes.flatMap(({ action }) => action ?? []),
    ...plugins.flatMap((plugin) => plugin.actions?.(registry) ?? []),
    ...rulesOfDrafts(ownTypes).keys(),
  ];
  return [...new Set(actions)];
}

/** The actions of routes that are off unless a setting says otherwise, by how their names begin. */
const optional: Readonly<Record<string, string>> = {
  'plugin::upload.folder.': 'folders are off: set upload.config.folders',
  'plugin::api-tokens.token.': 'the routes for API tokens are off: set api-tokens.config.routes',
};

/** The message about an action that does not exist: `unknown action "…"`, and why, or the closest name. */
export function unknownAction(action: string, actions: Iterable<string>): string {
  const prefix = Object.keys(optional).find((start) => action.startsWith(start));
  const isOn = prefix === undefined || [...actions].some((other) => other.startsWith(prefix));
  return isOn ? unknownName(action, 'action', actions) : `unknown action "${action}": ${optional[prefix]}`;
}

/** @throws AppError application, listing unknown actions with suggestions */
export function checkActions(actions: readonly string[], allowedActions: readonly string[]): void {
  const unknown = actions.filter((action) => !allowedActions.includes(action));
  const reasons = unknown.map((action) => unknownAction(action, allowedActions));
  if (reasons.length > 0) throw new AppError('application', reasons.join('\n'));
}
