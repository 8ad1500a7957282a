import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { CoreAction } from '../../plugins/contract/answerer.js';
import type { GraphqlProject } from '../../plugins/contract/graphql/project.js';
import type { GraphqlForm, RootOperation } from '../../plugins/contract/graphql/form.js';
import type { GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { FieldGuards } from '../field-guards.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { RootField } from '../schema/root-fields.js';
import type { SchemaShape } from '../schema/shape.js';
import { createGroupsRead } from './groups.js';
import { documentReads } from './document-reads.js';
import { documentWrites } from './document-writes.js';
import { createDeferredRead, createRelatedRead } from './deferred-field.js';
import { valueResolvers } from './create-resolvers.js';
import { pageInfo, type Arguments, type ReadLimits } from './listing.js';
import { fieldWrites, writesOf } from './field-writes.js';
import { fieldReads, type FieldForm, type Operation } from './field-reads.js';
import { rootResolvers } from './root-fields.js';
import type { EntryOperation } from './root-resolvers.js';

interface FormOptions {
  readonly form: GraphqlForm;
  readonly shape: SchemaShape;
  readonly limits: ReadLimits;
  readonly guardOf: FieldGuards;
  /** Whether the service alone decides what lists of a type have. */
  readonly isOffered: (type: ContentType) => boolean;
  /** The required action of each root field. */
  readonly rights: ReadonlyMap<string, string | undefined>;
  /** Code that stands around reads. */
  readonly project: GraphqlProject | undefined;
}

/** The resolvers of what is generated from the content types in another form. */
export function formResolvers(
  generated: GeneratedSchema,
  { form, shape, limits, guardOf, isOffered, rights, project }: FormOptions,
): GraphqlResolvers {
  const reading = { limits, shape, presenter: form.reads.presenter };
  const aggregate = createGroupsRead({ limits, shape, reads: form.reads, isOffered });
  const operations = { ...formOperations(form, shape, limits), aggregate };
  const whole = formOperations(form, { ...shape, isWhole: true }, limits);
  const observed = project?.documents && {
    ...documentReads(project.documents, whole, form.reads.audience),
    ...fieldWrites(documentWrites(project.documents)),
  };
  const operationsOf = (type: ContentType): Readonly<Record<RootOperation, Operation>> =>
    form.schema.contentTypes?.includes(type) === true ? { ...withoutEntries, aggregate } : operations;
  const resolveField = (_path: string, { type, operation }: RootField): GraphqlResolver => {
    const isObserved = (): boolean =>
      observedActions[operation].some((one) => project?.isObserved(type.uid, one) === true);
    return (_source, args, context, info) => {
      const around = operation !== 'aggregate' && isObserved() ? observed?.[operation] : undefined;
      return (around ?? operationsOf(type)[operation])(type, args as Arguments, context, info);
    };
  };
  return {
    ...rootResolvers(generated, { resolveField, actionOf: (path) => rights.get(path), guardOf }),
    ...valueResolvers(generated, {
      ...reading,
      ...(project?.documents && {
        ofCode: {
          readLater: createDeferredRead(
            reading,
            (query, source) => form.reads.scope(query, { status: versionOf(source), locale: '*' }),
            versionOf,
          ),
          readRelated: createRelatedRead(reading),
        },
      }),
    }),
  };
}

/** The version of an entry that code returned: what it is related to is in the same. */
const versionOf = ({ publishedAt }: Readonly<Record<string, unknown>>): string =>
  publishedAt === null ? 'draft' : 'published';

const reading = ['find', 'findOne'] as const;

/** What code observes of a field: the answer to a write is read, too. */
const observedActions: Readonly<Record<RootOperation, readonly CoreAction[]>> = {
  find: ['find'],
  findOne: ['findOne'],
  findSingle: ['find'],
  aggregate: [],
  create: ['create', ...reading],
  update: ['create', 'update', ...reading],
  updateSingle: ['create', 'update', ...reading],
  delete: ['delete', ...reading],
  deleteSingle: ['delete', ...reading],
};

const refuse: Operation = async () => {
  throw new AppError('forbidden', 'Forbidden access');
};

/** Of content types that only the schema has: nothing of them is stored. */
const withoutEntries: Readonly<Record<EntryOperation, Operation>> = {
  find: async () => ({ nodes: [], meta: { pagination: pageInfo({ start: 0, limit: 1 }, 0) } }),
  findOne: async () => ({ value: null }),
  findSingle: async () => ({ value: null }),
  create: refuse,
  update: refuse,
  delete: refuse,
  updateSingle: refuse,
  deleteSingle: refuse,
};

function formOperations(
  { reads, writes }: GraphqlForm,
  shape: SchemaShape,
  limits: ReadLimits,
): Readonly<Record<EntryOperation, Operation>> {
  const fields: FieldForm = {
    ...reads,
    entryOf: (type, args) => ({ filter: reads.entryOf(type, args) }),
    // A client names the status that it wants to see.
    isPreviewed: () => false,
  };
  return { ...fieldReads(fields, shape, limits), ...fieldWrites(writesOf(writes)) };
}
