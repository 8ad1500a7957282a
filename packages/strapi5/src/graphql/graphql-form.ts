import type { GraphqlForm } from 'content-service/content-api';
import type { PluginContext } from 'content-service/plugin';
import { describeError } from '../describe-error.js';
import { numberOf } from '../reads/number-of.js';
import type { Settings } from '../settings.js';
import { createParts } from './parts.js';
import { reads } from './reads.js';
import { rulesOf } from './rules.js';
import { createSchemaForm } from './schema-form.js';
import { createWrites } from './writes.js';

/** Strapi 5's GraphQL API. */
export const createGraphqlForm = (context: PluginContext, { path }: Settings): GraphqlForm => ({
  path: `${path}/graphql`,
  schema: createSchemaForm(context.registry),
  reads,
  writes: createWrites(context),
  rules: rulesOf,
  parts: createParts(context),
  numberOf: (type, { documentId, locale }, operation) =>
    numberOf(context, { type, documentId: String(documentId), locale }, operation === 'findOne' ? 'find' : operation),
  describeError,
});
