import type { ContentType } from '../../content-types/model/types.js';
import { pathNameOf } from '../../documents/listings.js';
import { errorsOf } from './operations.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';

const parameter = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
});
const text: JsonSchema = { type: 'string' };

const perType = (name: string, description: string): JsonSchema => ({
  ...parameter(name, description, { type: 'object' }),
  style: 'deepObject',
  explode: true,
});

const change: JsonSchema = {
  type: 'object',
  required: ['position', 'event', 'uid', 'id', 'createdAt'],
  properties: {
    position: text,
    event: { enum: ['entry.create', 'entry.update', 'entry.delete'] },
    uid: text,
    id: { type: 'integer' },
    createdAt: { type: 'string', format: 'date-time' },
    entry: { type: 'object', description: 'As it is now, if `fields` or `populate` has a value for its type' },
  },
};

const page: JsonSchema = {
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items: change },
    meta: { type: 'object', required: ['position'], properties: { position: text } },
  },
};

/** `/changes`, where writes are recorded. */
export function describeChangeFeed(types: readonly ContentType[]): JsonSchema {
  const names = types.map(pathNameOf);
  const [example = 'articles'] = names;
  return {
    get: {
      operationId: 'findChanges',
      summary: 'Follow changes, as a stream or by long polling',
      tags: ['Changes'],
      parameters: [
        parameter('since', 'The position after which it begins; without it: now', text),
        parameter('wait', 'Seconds that a long poll waits', { type: 'integer', minimum: 0, maximum: 25, default: 25 }),
        {
          ...parameter('types', 'Content types; without it: all that the caller may list', {
            type: 'array',
            items: { enum: names },
          }),
          style: 'form',
          explode: false,
        },
        perType('filters', `E.g. \`filters[${example}][id][$gt]=1\``),
        perType('fields', `E.g. \`fields[${example}]=*\``),
        perType('populate', `E.g. \`populate[${example}]=*\``),
        parameter('publicationState', 'With `preview` drafts too', { enum: ['live', 'preview'] }),
        parameter('locale', 'Default: all', text),
      ],
      responses: {
        200: {
          description: 'Done',
          content: {
            'application/json': { schema: page },
            'text/event-stream': {
              schema: { ...text, description: 'The id of a message is its position, its data a change' },
            },
          },
        },
        ...errorsOf(400, 410, 429),
      },
    },
  };
}
