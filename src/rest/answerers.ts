import type { ContentType, Registry } from '../content-types/model/types.js';
import { isOwnType, listingOf, pathNameOf } from '../documents/listings.js';
import { contentTypeRoutes, type HasRoute } from '../plugins/contract/content-type-routes.js';
import {
  type AnsweredAction,
  type Answerer,
  type AnswererOf,
  isCoreAction,
  isOffered,
} from '../plugins/contract/answerer.js';
import type { Route } from '../plugins/contract/plugin.js';
import type { IsThere } from './action.js';
import { isPattern } from './routes.js';

/**
 * Who answers a request, by the routes of a Strapi project's code: nobody, the service as if there were no code, or
 * code.
 */
export interface CodeMatch {
  readonly kind: 'none' | 'core' | 'code';
  /** The action that the core does; if the method is OPTIONS, those of all routes with this path. */
  readonly actions: readonly string[];
  /** Code has the path, but not for this method. */
  readonly isRefused?: true;
  /** The route leads to an action of the service alone. */
  readonly isOwn?: true;
}

/** The routes of a Strapi project's code. */
export interface CodeRoutes {
  /** By the method of a request and its path below the prefix of the API. */
  readonly match: (method: string, path: string) => CodeMatch;
  /** Whether they decide which routes content types have: a project can consist of content types only. */
  readonly routesTypes: () => boolean;
  /** Whether code receives an event of this action on entries of a type. */
  readonly isObserved: (type: ContentType, action: AnsweredAction) => boolean;
}

interface AnswerersOptions {
  readonly registry: Registry;
  /** Those that the service answers by itself. */
  readonly routes: readonly Route[];
  /** Whether the project runs code before this action. */
  readonly isGuarded: (action: string) => boolean;
  /** Undefined: there is no code. */
  readonly code: CodeRoutes | undefined;
}

/**
 * Finds out who answers an action, so that nothing that the service has besides the routes of Strapi v4 bypasses code
 * of the project.
 */
export function createAnswerers({ registry, routes, isGuarded, code }: AnswerersOptions) {
  /** Who answers by a route: that of a plugin, which is declared, or that of a content type. */
  const byRoute = ({ method, path, action, isDeclared }: Target): Answerer => {
    const reached = routes.find((route) => route.method === method && mayMatch(route.path, path));
    // A route of the project can stand in the place of another.
    if (reached !== undefined && !(isDeclared && reached.action === action)) return 'code';
    const { kind, isRefused, isOwn } = code?.match(method, path.replace(':id', '1')) ?? { kind: 'none' };
    if (isOwn === true) return 'core';
    if (kind === 'code') return isRefused === true ? 'none' : 'code';
    const isThere = isDeclared ? reached !== undefined : kind === 'core' || code?.routesTypes() !== true;
    return isThere ? 'core' : 'none';
  };
  const answererOf: AnswererOf = (type, action) => {
    const target = targetOf(type, action, routes);
    if (target === undefined) return 'none';
    const answerer = byRoute(target);
    if (answerer !== 'core') return answerer;
    if (code?.isObserved(type, action) === true) return 'code';
    return isGuarded(target.action) ? 'guarded' : 'core';
  };
  const hasRoute: HasRoute = (type, route) =>
    route.shortcutOf === undefined ? answererOf(type, route.action) !== 'none' : isOffered(answererOf, type, route);
  const isThere: IsThere = ({ shortcut }, params) => {
    if (shortcut === undefined) return true;
    const type = shortcut.type === ':uid' ? registry.contentTypes.get(params['uid'] ?? '') : shortcut.type;
    return type !== undefined && isOffered(answererOf, type, shortcut);
  };
  return {
    answererOf,
    hasRoute,
    isThere,
    /** Those of these routes of plugins that are there, for at least one content type. */
    reachable: (declared: readonly Route[]): readonly Route[] =>
      declared.filter((route) => route.shortcut?.type === ':uid' || isThere(route, {})),
  };
}

/** The route of an action. */
interface Target extends Pick<Route, 'method' | 'path'> {
  readonly action: string;
  /** It is a route of a plugin, as opposed to that of a content type. */
  readonly isDeclared: boolean;
}

/** Undefined for an action that a type does not have. */
function targetOf(type: ContentType, action: AnsweredAction, routes: readonly Route[]): Target | undefined {
  if (!isOwnType(type)) return targetOfPlugin(type, action, routes);
  const isSingle = type.kind === 'singleType';
  const base = `/${pathNameOf(type).toLowerCase()}`;
  // The entry of a single type is what its list would have.
  const named = `${type.uid}.${isSingle && action === 'findOne' ? 'find' : action}`;
  if (!isCoreAction(action)) {
    const path = `${base}${isSingle ? '' : '/:id'}/localizations`;
    return { method: 'POST', path, action: named, isDeclared: true };
  }
  const { method, path } = contentTypeRoutes[action];
  return { method, path: base + (isSingle ? '' : path), action: named, isDeclared: false };
}

/** Files are listed, changed and deleted by routes with other names than their type. */
function targetOfPlugin(type: ContentType, action: AnsweredAction, routes: readonly Route[]): Target | undefined {
  const listing = listingOf(type);
  if (action === 'find' && listing !== undefined) return { ...listing, method: 'GET', isDeclared: true };
  const changes = action === 'update' ? listing?.changes : undefined;
  if (changes !== undefined) return { ...changes, method: 'POST', isDeclared: true };
  const deletes = action === 'delete' ? listing?.deletes : undefined;
  if (deletes !== undefined) return { ...deletes, method: 'DELETE', isDeclared: true };
  const named = `${type.uid}.${action}`;
  const route = routes.find((candidate) => candidate.action === named);
  return route && { method: route.method, path: route.path, action: named, isDeclared: true };
}

/**
 * Whether a request with this path can reach the route. A parameter stands for one segment, another pattern for
 * several; a slash at the end makes no difference.
 */
function mayMatch(route: string, path: string): boolean {
  const [expected, segments] = [route.replace(/\/$/, '').split('/'), path.split('/')];
  for (const [index, segment] of expected.entries()) {
    if (isPattern(segment) && !isParameter(segment)) return true;
    if (!isPattern(segment) && segment.toLowerCase() !== segments[index]) return false;
  }
  return expected.length === segments.length;
}

const isParameter = (segment: string): boolean => /^:\w+$/.test(segment);
