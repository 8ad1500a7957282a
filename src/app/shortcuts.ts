import { groupBy } from '../config/group-by.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { isOwnType, pathNameOf } from '../documents/listings.js';
import { StartError } from '../errors/start-error.js';
import { uidOfAction } from '../plugins/contract/access/access.js';
import { type AnswererOf, type CoreAction, isOffered, type Shortcut } from '../plugins/contract/answerer.js';
import type { ContentApi } from '../plugins/contract/content-api.js';
import { contentTypeRoutes, isFor } from '../plugins/contract/content-type-routes.js';
import type { Route } from '../plugins/contract/routes.js';
import type { PageLimits } from '../query/parse/parse-pagination.js';

/**
 * Checks that no route of a plugin leads around code of the project: one that needs the permission of a content type's
 * action does that action, so it must say that it is a shortcut.
 * @throws StartError naming the route
 */
export function checkShortcuts({ contentTypes }: Registry, routes: readonly Route[]): void {
  for (const { method, path, action = '', shortcut } of routes) {
    const type = contentTypes.get(uidOfAction(action));
    if (type === undefined || !isOwnType(type) || shortcut !== undefined) continue;
    if (action !== `${type.uid}.createLocalization`)
      throw new StartError(
        `The route ${method} ${path} of a plugin needs "shortcut": it does ${action} in another way`,
      );
  }
}

interface MissingParts {
  readonly registry: Registry;
  /** Those of plugins. */
  readonly routes: readonly Route[];
  readonly answererOf: AnswererOf;
  readonly limits: PageLimits;
}

/** A line for each shortcut that content types do not have, because code of the project answers what it would do. */
export function describeMissingShortcuts({ registry, routes, answererOf, limits }: MissingParts): readonly string[] {
  const types = [...registry.contentTypes.values()].filter(isOwnType);
  const rows = Object.values(contentTypeRoutes);
  const shortcuts = types.flatMap((type): readonly Missing[] => [
    ...rows.flatMap((row) =>
      row.shortcutOf !== undefined && isFor(row, type) && row.describe(type, limits) !== undefined
        ? [{ type, path: row.path, shortcut: row }]
        : [],
    ),
    ...routes.flatMap(({ path, shortcut }) =>
      shortcut?.type === type || shortcut?.type === ':uid' ? [{ type, path: below(path, type), shortcut }] : [],
    ),
  ]);
  const missing = shortcuts.filter(({ type, shortcut }) => !isOffered(answererOf, type, shortcut));
  return [...groupBy(missing, ({ path }) => path)].map(([path, group]) => {
    const actions = new Set(group.flatMap(({ shortcut }) => shortcut.shortcutOf));
    const uids = new Set(group.map(({ type }) => type.uid));
    return `Code of the project takes part in ${[...actions].join(', ')}, so there is no ${path} of ${[...uids].join(', ')}`;
  });
}

/** The part of a path behind that of the content type, if it begins with that; else the whole, such as `/sums/:uid`. */
function below(path: string, type: ContentType): string {
  const place = `/${pathNameOf(type)}`;
  return path.startsWith(`${place}/`) ? path.slice(place.length) : path;
}

interface Missing {
  readonly type: ContentType;
  /** Below the path of the content type, or the whole path where it is not there. */
  readonly path: string;
  readonly shortcut: Shortcut;
}

/**
 * A line for each content type with actions that code of the project answers, so that the API in another form refuses
 * them.
 */
export function describeRefused(
  { prefix, reads, writes }: ContentApi,
  { contentTypes }: Registry,
  answererOf: AnswererOf,
): readonly string[] {
  return [...contentTypes.values()].filter(isOwnType).flatMap((type) => {
    const routes = Object.entries(contentTypeRoutes).filter(
      ([name, route]) => (name in reads || name in writes) && isFor(route, type),
    );
    const refused = new Set(routes.map(([, { action }]) => action as CoreAction));
    const names = [...refused].filter((action) => answererOf(type, action) === 'code');
    const message = `${prefix} does not answer ${names.join(', ')} of ${type.uid}: code of the project takes part in it`;
    return names.length === 0 ? [] : [message];
  });
}
