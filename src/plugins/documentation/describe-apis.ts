import { typeName } from '../../content-types/model/type-name.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import type { BuiltInHttp } from '../contract/built-in.js';
import type { ContentActionName, ContentApi, ContentWriteName } from '../contract/content-api.js';
import { contentTypeRoutes, queryParameter, reference, routesOfType } from '../contract/content-type-routes.js';
import { isCoreAction } from '../contract/answerer.js';
import type { DeclaredRoute, Route } from '../contract/routes.js';
import { describeBatch } from './batch.js';
import { describeChangeFeed } from './change-feed.js';
import { describeApi, describedTypes } from './describe-api.js';
import { addOperation } from './operations.js';
import { strapiV4 } from './strapi-v4.js';

/** The content types that are described, and the actions on them. */
interface View {
  readonly registry: Registry;
  readonly may: Caller['may'];
}

/** The running service. */
interface Running<Http extends keyof BuiltInHttp = 'reachable'> {
  readonly limits: PageLimits;
  readonly http: Pick<BuiltInHttp, Http>;
}

interface StrapiV4 extends Running {
  readonly settings: { readonly prefix: string; readonly events: { readonly record: boolean } };
}

/** The description of the API in Strapi v4's form, with what the service has beside that. */
export function describeStrapiV4({ limits, http, settings }: StrapiV4, { registry, may }: View): JsonSchema {
  const { own, plugins } = describedTypes(registry);
  const { routes, hasRoute } = http.reachable();
  const further: Record<string, JsonSchema> = {};
  const batch = describeBatch([...own, ...plugins], may);
  if (batch !== undefined) addOperation(further, batch);
  if (settings.events.record) further['/changes'] = describeChangeFeed(own);
  return describeApi({
    registry,
    form: strapiV4,
    prefix: settings.prefix,
    routes,
    routesOf: (type) => routesOfType(type, hasRoute, (name) => contentTypeRoutes[name].describe(type, limits)),
    further,
    may,
  });
}

/** The description of another form of the API; undefined: it has none. */
export function describeForm(
  { prefix, description: form, hasRoute: isOwn = () => false, statusOf, refuses = {} }: ContentApi,
  { limits, http }: Running<'reachable' | 'answererOf'>,
  { registry, may }: View,
): JsonSchema | undefined {
  if (form === undefined) return undefined;
  const { operations, audience, entry } = form;
  const isAnswered = (type: ContentType, action: string): boolean =>
    isCoreAction(action) && ['core', 'guarded'].includes(http.answererOf(type, action));
  const withStatus = (route: Route): DeclaredRoute => {
    const { description } = route;
    const isCreated = statusOf?.(route, {}) === 201;
    if (description === undefined || !isCreated) return route;
    return { ...route, description: { ...description, furtherStatuses: [201] } };
  };
  const withEntry = (route: DeclaredRoute): DeclaredRoute =>
    route.entryOf === undefined || route.description === undefined
      ? route
      : { ...route, description: { ...route.description, ...entry?.(route.entryOf) } };
  return describeApi({
    registry,
    form,
    prefix,
    routes: http.reachable().routes.filter(isOwn).map(withStatus).map(withEntry),
    routesOf: (type) =>
      routesOfType(
        type,
        (_, { action, shortcutOf }) => shortcutOf === undefined && isAnswered(type, action),
        (name) =>
          operations[name as ContentActionName]?.({
            type,
            limits,
            schema: (end) => reference(`${typeName(type)}${end}`),
            parameter: (parameter) => queryParameter(parameter, type, limits, audience),
          }),
        (name) => refuses[name as ContentWriteName] ?? {},
      ),
    may,
  });
}
