import type { FieldArguments, GraphqlForm } from 'content-service/content-api';
import type { ContentType, PluginContext } from 'content-service/plugin';
import { describeError } from '../describe-error.js';
import { EVERY_LOCALE, writtenLocale } from '../locale.js';
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
  numberOf: (type, args) => numberOf(context, type, args),
  describeError,
});

/** The number of the entry that a field names in the locale of its arguments; undefined: there is none, or not one alone. */
async function numberOf(
  { documents }: Pick<PluginContext, 'documents'>,
  type: ContentType,
  { documentId, locale }: FieldArguments,
): Promise<number | undefined> {
  if (documentId === undefined || locale === EVERY_LOCALE) return undefined;
  const code = writtenLocale(locale, type);
  const entries = await documents.identify(type, [String(documentId)]);
  return entries.find((entry) => code === undefined || entry.locale === code)?.id;
}
