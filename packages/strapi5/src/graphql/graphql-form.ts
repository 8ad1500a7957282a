import type { FormContext, GraphqlForm } from 'content-service/content-api';
import { describeError } from '../describe-error.js';
import { numberOf } from '../reads/number-of.js';
import type { Settings } from '../settings.js';
import { createParts } from './parts.js';
import { createReads } from './reads.js';
import { rulesOf } from './rules.js';
import { createSchemaForm } from './schema-form.js';
import { createWrites } from './writes.js';

/** Strapi 5's GraphQL API. */
export const createGraphqlForm = (context: FormContext, settings: Settings): GraphqlForm => ({
  path: `${settings.path}/graphql`,
  schema: createSchemaForm(context.registry),
  reads: createReads(settings),
  writes: createWrites(context, settings),
  rules: rulesOf,
  parts: createParts(context),
  numberOf: (type, { documentId, locale }, operation) =>
    numberOf(context, { type, documentId: String(documentId), locale }, operation === 'findOne' ? 'find' : operation),
  describeError,
});
