import type { DeclaredRoute } from '../contract/routes.js';
import { errorsOf } from './errors.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

const etag: JsonSchema = { description: 'For `If-Match`', schema: { type: 'string' } };

/** Adds an operation to those of its path, by their methods in lower case. */
export function addOperation(paths: Record<string, JsonSchema>, route: DeclaredRoute): void {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const parameters = route.description?.pathParameters;
  paths[path] = { ...(parameters && { parameters }), ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
}

function operationOf({ method, path, action, description = { summary: action ?? path } }: DeclaredRoute): JsonSchema {
  const { summary, query = [], parameters: further, body, form, response, isTagged, isCreated } = description;
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
  const answer = {
    description: 'Done',
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
      200: { ...answer, ...(isTagged === true && { headers: { ETag: etag } }) },
      ...(isCreated === true && { 201: answer }),
      ...errorsOf(...errors),
    },
  };
}

/** `GET /users/:id` is `getUsersId`. */
const nameOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`;

/** `plugin::upload.content-api.find` belongs to `upload`. */
const tagOf = (action: string | undefined): string => /::([^.]+)/.exec(action ?? '')?.[1] ?? 'Others';
