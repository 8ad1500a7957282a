import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import { modelsBehind, reachableModels } from '../../content-types/model/walk.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { isOwnType } from '../../documents/listings.js';
import { isReadable } from '../../query/visibility.js';
import type { ApiDescription } from '../contract/api-description.js';
import type { DeclaredRoute } from '../contract/routes.js';
import { inputsOf, sharedInputs } from './inputs.js';
import { addOperation, errorResponses } from './operations.js';
import { answersOf, componentAnswer } from './response-schemas.js';

/** What is described: one form of the API. */
interface Described {
  readonly registry: Registry;
  readonly form: ApiDescription;
  /** The path of the API. */
  readonly prefix: string;
  /** Those of plugins and the owner. */
  readonly routes: readonly DeclaredRoute[];
  readonly routesOf: (type: ContentType) => readonly DeclaredRoute[];
  /** Paths with other operations, which routes can stand in the place of. */
  readonly further?: Readonly<Record<string, JsonSchema>>;
  /** The actions that are described. */
  readonly may: Caller['may'];
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** The OpenAPI 3.1 description of a form of the REST API. Source: https://spec.openapis.org/oas/v3.1.1 */
export function describeApi({ registry, form, prefix, routes, routesOf, further = {}, may }: Described): JsonSchema {
  const { own, plugins } = describedTypes(registry);
  const models = reachableModels([...own, ...plugins], (attribute) =>
    isReadable(attribute, 'client') ? modelsBehind(attribute) : [],
  );
  const types = models.filter((model) => model.kind !== 'component');
  const components = models.filter((model) => model.kind === 'component');
  const isAllowed = ({ action }: DeclaredRoute): boolean => action === undefined || may(action);
  const paths: Record<string, JsonSchema> = {};
  for (const type of own) for (const route of routesOf(type).filter(isAllowed)) addOperation(paths, route);
  for (const [path, operations] of Object.entries(further)) paths[path] ??= operations;
  // The first matching route wins, before those of content types.
  for (const route of routes.filter(isAllowed).toReversed()) addOperation(paths, route);
  return {
    openapi: '3.1.1',
    info: { title: form.title, version: '1.0.0', description: form.text },
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
          ...sharedInputs(form.inputs),
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
        ...types.flatMap((type) => [answersOf(type, form), inputsOf(type, form)]),
        ...components.flatMap((component) => [componentAnswer(component, form), inputsOf(component, form)]),
      ) as JsonSchema,
    },
  };
}

/** The content types of the project, and those of plugins. */
export function describedTypes({
  contentTypes,
}: Registry): Readonly<Record<'own' | 'plugins', readonly ContentType[]>> {
  const all = [...contentTypes.values()];
  return { own: all.filter(isOwnType), plugins: all.filter(({ uid }) => uid.startsWith('plugin::')) };
}
