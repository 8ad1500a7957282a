import type { BuiltInContext } from '../plugins/contract/built-in.js';
import type { GraphqlForm } from '../plugins/contract/graphql/form.js';
import { guardParts, rightsOf, withheldFields, type BuiltSchema } from './build-schema.js';
import { formResolvers } from './execute/form-resolvers.js';
import type { ReadLimits } from './execute/listing.js';
import type { Extended } from './extension/extension.js';
import { pathsOf } from './extension/owned-fields.js';
import { createFieldGuards } from './field-guards.js';
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
  const generated = generateSchema(registry, rules, { ...noAdditions, aggregation }, () => form.schema);
  const rights = rightsOf(generated, parts);
  const guardOf = createFieldGuards(generated, rights, auth.guards, form);
  const resolvers = formResolvers(generated, {
    form,
    shape,
    limits,
    guardOf,
    isOffered: offersGroups(answererOf),
    rights,
  });
  const schema = makeSchema(
    [generated.typeDefs, ...parts.map(({ typeDefs }) => typeDefs)],
    [generated.resolvers, resolvers, ...parts.map((part) => guardParts(part, part.actions, guardOf))],
    undefined,
    form.schema.hasUnusedTypes,
  );
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
