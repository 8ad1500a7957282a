import { answers } from '../../errors/codes.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

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
