import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType } from '../content-types/model/types.js';
import type { GraphqlContext } from '../plugins/contract/graphql/parts.js';
import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type { GraphqlForm } from '../plugins/contract/graphql/form.js';
import {
  configuredFields,
  findUnguarded,
  guardParts,
  plainResolvers,
  rightsOf,
  withheldFields,
  type BuiltSchema,
} from './build-schema.js';
import { formResolvers } from './execute/form-resolvers.js';
import type { ReadLimits } from './execute/listing.js';
import type { Extended } from './extension/extension.js';
import { markFields, ownedFields, pathsOf } from './extension/owned-fields.js';
import { wrapFields } from './extension/wrap-fields.js';
import { createFieldGuards, type FieldGuards } from './field-guards.js';
import { refusedFields, refuseFields, refuseObserved } from './refused-fields.js';
import { groupRules, offersGroups } from './group-rules.js';
import { generateSchema } from './schema/generate.js';
import { makeSchema } from './schema/make-schema.js';
import { noAdditions, type Additions } from './schema/rules.js';
import type { SchemaShape } from './schema/shape.js';

interface FormSchemaOptions {
  readonly form: GraphqlForm;
  readonly shape: SchemaShape;
  readonly limits: ReadLimits;
  readonly extended: Extended;
  readonly additions: Additions;
}

/** What content types have beside their attributes. */
const ofEntries = new Set(['id', 'documentId', 'publishedAt', 'locale']);

const isGenerated = (model: ContentType | Component, field: string, shape: SchemaShape): boolean =>
  model.attributes.has(field) || ofEntries.has(field) || shape.fieldsOf(model).has(field);

/** The schema of the content types in another form. @throws StartError if it is invalid */
export async function buildForm(
  context: BuiltInContext,
  { form, shape, limits, extended, additions }: FormSchemaOptions,
): Promise<BuiltSchema> {
  const { registry, auth } = context;
  const { answererOf } = context.http;
  const { aggregation } = additions;
  const restGuards = auth.restGuards();
  const { project } = context.graphql;
  const used = await extended.use(context.project.application);
  const ofPlugins = await context.graphql.parts();
  const rules = [
    ...form.rules(registry, ofPlugins),
    ...extended.shadow.rules(registry),
    ...withheldFields(auth.declared),
    ...(aggregation ? groupRules({ registry, used, parts: ofPlugins, project, restGuards, answererOf }) : []),
  ];
  const parts = form.parts(ofPlugins);
  // Code of Strapi 5 extends the schema of its form; that of Strapi v4 knows another.
  const isOwnForm = project?.documents !== undefined;
  const extensions = isOwnForm ? used.extensions : [];
  const generated = generateSchema(registry, rules, { ...noAdditions, aggregation }, () => form.schema);
  const rights = rightsOf(generated, parts);
  const fields = ownedFields(extensions);
  const { isOwned } = fields;
  const actions = new Map([...rights].map(([path, action]) => [path, isOwned(path) ? undefined : action]));
  const guardOf = createFieldGuards(generated, rights, auth.guards, form);
  const unowned: FieldGuards = (path) => (isOwned(path) ? undefined : guardOf(path));
  const resolvers = formResolvers(generated, {
    form,
    shape,
    limits,
    guardOf: unowned,
    isOffered: offersGroups(answererOf),
    rights: actions,
    project,
  });
  const schema = makeSchema(
    [
      ...extensions.flatMap(({ typeDefs }) => typeDefs ?? []),
      generated.typeDefs,
      ...parts.map(({ typeDefs }) => typeDefs),
    ],
    [
      generated.resolvers,
      resolvers,
      ...parts.map((part) => guardParts(part, Object.fromEntries(actions), unowned)),
      ...extensions.map(({ resolvers: own = {} }) => plainResolvers(own) as IResolvers<unknown, GraphqlContext>),
    ],
    isOwnForm ? used.addTypes : undefined,
    form.schema.hasUnusedTypes,
  );
  if (isOwnForm) {
    const { application: strapi, named } = context.project;
    markFields(schema, fields, generated, (model, field) => isGenerated(model, field, shape));
    const configured = configuredFields(schema, fields, (path) => rights.has(path));
    const absent = wrapFields(schema, configured, { named, rights, strapi, guardOf });
    const lines = [...absent, ...findUnguarded(rights, fields, restGuards)];
    return { schema, generated, cacheable: new Set(), warnings: lines, owned: [] };
  }
  const refused = refusedFields(schema, generated, shape, {
    registry,
    used,
    parts: ofPlugins,
    project,
    restGuards,
  });
  refuseFields(schema, refused);
  if (project !== undefined) refuseObserved(schema, generated, project);
  const overridden = new Set([...refused, ...parts.flatMap((part) => pathsOf(part.resolvers))]);
  const warnings = [...refused].map(
    (path) => `GraphQL at ${form.path} refuses ${path}: code of the project guards, changes or answers it elsewhere`,
  );
  const cacheable = new Set(pathsOf(resolvers).filter((path) => !overridden.has(path)));
  return { schema, generated, cacheable, warnings, owned: [] };
}
