import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import type { ApiDescription } from '../contract/api-description.js';
import { inData } from '../contract/content-type-routes.js';
import { orNull } from './response-schemas.js';

const identified: JsonSchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const link: JsonSchema = { anyOf: [{ type: 'integer' }, identified] };
const links: JsonSchema = { type: 'array', items: link };

/** Strapi v4's form of the API. */
export const strapiV4: ApiDescription = {
  title: 'Content API',
  text: 'Generated from the content types.',
  audience: 'client',
  answers: {
    entry: (attributes) => ({
      type: 'object',
      required: ['id', 'attributes'],
      properties: { id: { type: 'integer' }, attributes, meta: { type: 'object' } },
    }),
    one: inData,
    many: inData,
    data: orNull,
  },
  inputs: {
    isTaken: () => true,
    data: {},
    draft: { required: ['publishedAt'], properties: { publishedAt: { type: 'null' } } },
    relation: {
      description: 'The new list of related entries, or the entries to connect and disconnect',
      anyOf: [
        link,
        links,
        { type: 'object', required: ['set'], properties: { set: links } },
        { type: 'object', properties: { connect: links, disconnect: links } },
      ],
    },
    filtersZones: true,
  },
};
