import type { ContentType } from '../content-types/model/types.js';
import { isOwnType, listingOf, pathNameOf } from '../documents/changes/listings.js';
import { contentTypeRoutes, type HasRoute } from '../plugins/contract/content-type-routes.js';
import type { Route } from '../plugins/contract/plugin.js';
import type { Offers, RestContext } from './action.js';
import { isPattern } from './routes.js';

/** What code of a Strapi project answers. */
export interface ServedCode {
  /** Whether the default route of this action is answered as if there were no code. */
  readonly isPlain: Offers;
  /** Whether a route of Strapi v4 is there, answered by code or not. */
  readonly isServed: HasRoute;
  /** Whether the list of a plugin's type, at this path of the API, is answered as if there were no code. */
  readonly isPlainList: (type: ContentType, path: string) => boolean;
  /** Whether code answers a POST to this path of the API. */
  readonly isCode: (path: string) => boolean;
}

interface OffersOptions {
  readonly routes: readonly Route[];
  /** Whether the project runs code before this action. */
  readonly isGuarded: (action: string) => boolean;
  /** Undefined: there is no code. */
  readonly served: ServedCode | undefined;
}

/** What the service offers besides the routes of Strapi v4, so that none of it bypasses code of the project. */
export function createAllOffers({ routes, isGuarded, served }: OffersOptions) {
  /** Refuses other ways that would bypass what a project put in place of an action: a route of its own, or changed code. */
  const offers: Offers = (type, action) => {
    const { method, path } = contentTypeRoutes[action];
    const isReplaced = routes.some((route) => route.method === method && mayMatch(route.path, pathOf(type, path)));
    return served?.isPlain(type, action) !== false && !isReplaced;
  };
  /** Whether a key may name the entry. Guards of the project before the action expect its id. */
  const offersByKey: Offers = (type, action) => offers(type, action) && !isGuarded(`${type.uid}.${action}`);
  /** Whether a batch may do what a route of a plugin does: it runs neither code of the project in its place nor guards before it. */
  const offersRoute: RestContext['offersRoute'] = (path, action) => {
    const route = routes.find((candidate) => candidate.method === 'POST' && mayMatch(candidate.path, path));
    return route?.action === action && !isGuarded(action) && served?.isCode(path) !== true;
  };
  const hasRoute: HasRoute = (type, route) => {
    if (route.instead === undefined) return served?.isServed(type, route) !== false;
    return (route.instead === 'plain' ? offers : offersByKey)(type, route.action);
  };
  /** Whether a feed may show the entries of a type. It runs neither the routes nor the guards of lists, so these may have none of their own. */
  const isFed = (type: ContentType): boolean => {
    const listing = listingOf(type);
    if (listing === undefined || isGuarded(listing.action)) return false;
    if (isOwnType(type)) return offers(type, 'find');
    const route = routes.find(({ method, path }) => method === 'GET' && mayMatch(path, listing.path));
    return route?.action === listing.action && served?.isPlainList(type, listing.path) !== false;
  };
  return { offersByKey, offersRoute, hasRoute, isFed };
}

/** The path of an action on a type; that of a single type has no id. */
const pathOf = (type: ContentType, path: string): string =>
  `/${pathNameOf(type).toLowerCase()}${type.kind === 'collectionType' ? path : ''}`;

/**
 * Whether a request with this path can reach the route. A parameter stands for one segment, another pattern for several; a slash at the
 * end makes no difference.
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
