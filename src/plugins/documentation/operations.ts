import { answers } from '../../errors/codes.js';
import type { DeclaredRoute } from '../contract/routes.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

const etag: JsonSchema = { description: 'For `If-Match`', schema: { type: 'string' } };

const NO_CONTENT = 204;

/** Adds an operation to those of its path, by their methods in lower case. */
export function addOperation(paths: Record<string, JsonSchema>, route: DeclaredRoute): void {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const parameters = route.description?.pathParameters;
  paths[path] = { ...(parameters && { parameters }), ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
}

function operationOf({ method, path, action, description = { summary: action ?? path } }: DeclaredRoute): JsonSchema {
  const {
    summary,
    query = [],
    parameters: further,
    body,
    form,
    response,
    isTagged,
    furtherStatuses = [],
    status = 200,
  } = description;
  const inPath = description.pathParameters === undefined ? [...path.matchAll(/:(\w+)/g)] : [];
  const parameters = [
    ...inPath.map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...query.map((name) => ({ name, in: 'query', schema: {} })),
    ...(further ?? []),
  ];
  const content = {
    ...(body !== undefined && { 'application/json': { schema: body } }),
    ...(form !== undefined && { 'multipart/form-data': { schema: form } }),
  };
  const isWrite = body !== undefined || form !== undefined;
  const done = { description: 'Done' };
  const answer = {
    ...done,
    ...(response !== undefined && { content: { 'application/json': { schema: response } } }),
  };
  const errors = description.errors ?? [400, ...(inPath.length > 0 ? [404] : []), ...(isWrite ? [413] : []), 429];
  return {
    operationId: description.id ?? nameOf(method, path),
    summary,
    tags: [description.tag ?? tagOf(action)],
    ...((further !== undefined || description.pathParameters === undefined) && { parameters }),
    ...(isWrite && { requestBody: { required: true, content } }),
    responses: {
      [status]: { ...answer, ...(isTagged === true && { headers: { ETag: etag } }) },
      ...Object.fromEntries(furtherStatuses.map((further) => [further, further === NO_CONTENT ? done : answer])),
      ...errorsOf(...errors),
    },
  };
}

/** `GET /users/:id` is `getUsersId`. */
const nameOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`;

/** `plugin::upload.content-api.find` belongs to `upload`. */
const tagOf = (action: string | undefined): string => /::([^.]+)/.exec(action ?? '')?.[1] ?? 'Others';

/** Statuses that every route may answer with. */
const everywhere = [401, 403, 500, 503] as const;

const statuses = [...new Set(Object.values(answers).map(({ status }) => status))].toSorted((a, b) => a - b);

/** The component that describes the answers of a status, e.g. `Error404`. */
const componentName = (status: number): string => `Error${status}`;

/** The description of the answers of a status, with the names of its errors. */
function errorResponse(status: number): JsonSchema {
  const names = Object.entries(answers).flatMap(([name, answer]) => (answer.status === status ? [name] : []));
  const schema = {
    type: 'object',
    required: ['data', 'error'],
    properties: {
      data: { type: 'null' },
      error: {
        type: 'object',
        required: ['status', 'name', 'message'],
        properties: {
          status: { const: status },
          name: { type: 'string', enum: names },
          message: { type: 'string' },
          details: {
            type: 'object',
            properties: {
              errors: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['path', 'message', 'name'],
                  properties: {
                    path: { type: 'array', items: { type: 'string' } },
                    message: { type: 'string' },
                    name: { type: 'string' },
                  },
                },
              },
            },
          },
        },
      },
    },
  };
  return { description: names.join(', '), content: { 'application/json': { schema } } };
}

/** Answers of errors by their component's name: one for each status in the table of errors. */
export const errorResponses: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  statuses
    .filter((status) => status !== 405) // Said in plain text.
    .map((status) => [componentName(status), errorResponse(status)]),
);

/** The possible errors of an operation, in addition to those of every operation. */
export const errorsOf = (...ownStatuses: readonly number[]): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [...ownStatuses, ...everywhere].map((status) => [
      status,
      { $ref: `#/components/responses/${componentName(status)}` },
    ]),
  );
