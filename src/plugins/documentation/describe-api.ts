import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { isOwnType } from '../../documents/listings.js';
import { modelsBehind, reachableModels } from '../../content-types/model/walk.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import { isReadable } from '../../query/visibility.js';
import { routesOfType, type HasRoute } from '../contract/content-type-routes.js';
import type { DeclaredRoute } from '../contract/routes.js';
import { describeBatch } from './batch.js';
import { describeChangeFeed } from './change-feed.js';
import { answersOf, componentAnswer } from './response-schemas.js';
import { inputsOf, sharedInputs } from './inputs.js';
import { addOperation, errorResponses } from './operations.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

interface Api {
  readonly registry: Registry;
  /** Those of plugins and the owner. */
  readonly routes: readonly DeclaredRoute[];
  readonly hasRoute: HasRoute;
  readonly limits: PageLimits;
  /** Whether there are change feeds. */
  readonly hasChanges: boolean;
  /** The path of the API. */
  readonly prefix: string;
  /** The actions that are described; default: all. */
  readonly may?: Caller['may'];
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** The OpenAPI 3.1 description of the REST API. Source: https://spec.openapis.org/oas/v3.1.1 */
export function describeApi({
  registry,
  routes,
  hasRoute,
  limits,
  hasChanges,
  prefix,
  may = () => true,
}: Api): JsonSchema {
  const ownTypes = [...registry.contentTypes.values()].filter(isOwnType);
  const plugins = [...registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('plugin::'));
  const models = reachableModels([...ownTypes, ...plugins], (attribute) =>
    isReadable(attribute, 'client') ? modelsBehind(attribute) : [],
  );
  const types = models.filter((model) => model.kind !== 'component');
  const components = models.filter((model) => model.kind === 'component');
  const isAllowed = ({ action }: DeclaredRoute): boolean => action === undefined || may(action);
  const paths: Record<string, JsonSchema> = {};
  for (const type of ownTypes)
    for (const route of routesOfType(type, limits, hasRoute).filter(isAllowed)) addOperation(paths, route);
  const batch = describeBatch([...ownTypes, ...plugins], may);
  if (batch !== undefined && paths[batch.path] === undefined) addOperation(paths, batch);
  if (hasChanges) paths['/changes'] ??= describeChangeFeed(ownTypes);
  // The first matching route wins, before those of content types.
  for (const route of routes.filter(isAllowed).toReversed()) addOperation(paths, route);
  return {
    openapi: '3.1.1',
    info: { title: 'Content API', version: '1.0.0', description: 'Generated from the content types.' },
    servers: [{ url: prefix || '/' }],
    security: [{ token: [] }, {}],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, or the JSON web token of a user' },
      },
      responses: errorResponses,
      schemas: Object.assign(
        {
          ...sharedInputs,
          Pagination: {
            type: 'object',
            properties: {
              page: count,
              pageSize: count,
              pageCount: count,
              start: count,
              limit: count,
              total: count,
              next: { type: ['string', 'null'] },
            },
          },
        },
        ...types.flatMap((type) => [answersOf(type), inputsOf(type)]),
        ...components.flatMap((component) => [componentAnswer(component), inputsOf(component)]),
      ) as JsonSchema,
    },
  };
}
