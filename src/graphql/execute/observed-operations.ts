import { isAbsent, type Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Documents } from '../../documents/documents.js';
import { dropUnreadableTargets } from '../../documents/input/permitted-data.js';
import { AppError } from '../../errors/app-error.js';
import { hasZone } from '../../query/ast.js';
import { type QueryInput, requireId } from '../../query/parse/input.js';
import { parseValues } from '../../query/plugin-parameters.js';
import { CLIENT, type EntityService } from '../../plugins/contract/application.js';
import { filterInput } from './filter-input.js';
import {
  pageInfo,
  parseListing,
  publicationStateOf,
  type Arguments,
  type Listing,
  type ReadLimits,
} from './listing.js';
import { orNothing } from './field-reads.js';
import { fieldWrites } from './field-writes.js';
import { dataOf, idToWrite, type Operations } from './root-resolvers.js';
import { selectsPagination } from './selection-for-resolver.js';

/**
 * The generated queries and mutations of content types whose lifecycle events project code observes: they go through
 * the entity service, which runs the events, as in Strapi v4. Relations of an entry are read when their field is
 * resolved. Drafts that are hidden from the caller do not exist.
 */
export function observedOperations(
  entityService: EntityService,
  { hidesDrafts }: Pick<Documents, 'hidesDrafts'>,
  limits: ReadLimits,
): Operations {
  /** @throws AppError notFound if the caller may not see the draft */
  const singleToWrite = async (type: ContentType, args: Arguments, caller: Caller): Promise<Data | null> => {
    const stored = await readSingleOrDraft(entityService, type, args);
    if (stored?.['publishedAt'] === null && hidesDrafts(type, caller)) throw new AppError('notFound');
    return stored;
  };
  return {
    find: async (type, args, { caller }, info) => {
      const listing = parseListing(args, type, caller, limits);
      if (listing.filter !== undefined && hasZone(listing.filter)) {
        // The entity service leaves them out, as in Strapi v4, and would find more.
        throw new AppError(
          'badRequest',
          `filters on dynamic zones are not supported here: code of the project observes ${type.uid}`,
        );
      }
      const params = { ...listParams(type, args, listing), [CLIENT]: caller };
      const entries = await entityService.findMany(type.uid, params);
      const total = selectsPagination(info) ? await entityService.count(type.uid, params) : 0;
      return { nodes: entries, meta: { pagination: pageInfo(listing.pagination, total) } };
    },
    count: async (type, args, { caller }) => {
      parseListing(args, type, caller, limits);
      return entityService.count(type.uid, { ...args, [CLIENT]: caller });
    },
    findOne: (type, args, { caller, isPreviewed }) =>
      orNothing(async () => {
        const id = requireId(args['id']);
        const client = isPreviewed({ uid: type.uid, id }) ? undefined : caller;
        return entityService.findOne(type.uid, id, { [CLIENT]: client });
      }),
    findSingle: (type, args, { caller, isPreviewed }) =>
      answer(
        isPreviewed({ uid: type.uid })
          ? readSingleOrDraft(entityService, type, args)
          : readSingle(entityService, type, args, caller),
      ),
    ...fieldWrites({
      create: async (type, args, { caller }) =>
        entityService.create(type.uid, { data: dataFrom(type, args, caller), [CLIENT]: caller }),
      update: async (type, args, { caller }) => {
        const data = dataFrom(type, args, caller);
        return entityService.update(type.uid, idToWrite(args), { data, [CLIENT]: caller });
      },
      delete: async (type, args, { caller }) => entityService.delete(type.uid, idToWrite(args), { [CLIENT]: caller }),
      updateSingle: async (type, args, { caller }) => {
        const data = dataFrom(type, args, caller);
        const existing = await singleToWrite(type, args, caller);
        if (existing === null) return entityService.create(type.uid, { data, [CLIENT]: caller });
        return entityService.update(type.uid, Number(existing['id']), { data, [CLIENT]: caller });
      },
      deleteSingle: async (type, args, { caller }) => {
        const existing = await singleToWrite(type, args, caller);
        if (existing === null) throw new AppError('notFound', 'Entity not found');
        return entityService.delete(type.uid, Number(existing['id']));
      },
    }),
  };
}

const dataFrom = (type: ContentType, args: Arguments, caller: Caller): Data =>
  dropUnreadableTargets(dataOf(type, args), type, caller);

/** The entry of a single type, whether it is a draft or not, without the rights of a caller. */
const readSingleOrDraft = (entityService: EntityService, type: ContentType, args: Arguments): Promise<Data | null> =>
  readSingle(entityService, type, { ...args, publicationState: 'preview' }, undefined);

async function readSingle(
  entityService: EntityService,
  type: ContentType,
  args: Arguments,
  client: Caller | undefined,
): Promise<Data | null> {
  const params = { ...commonParams(type, args), limit: 1, [CLIENT]: client };
  // In all locales it is a list.
  const [entry = null] = [(await entityService.findMany(type.uid, params)) as unknown as Data | null].flat();
  return entry;
}

const answer = async (entry: Promise<Data | null>): Promise<unknown> => ({ value: await entry });

function commonParams(type: ContentType, args: Arguments): QueryInput {
  return {
    ...(type.draftAndPublish && { publicationState: publicationStateOf(args) }),
    ...parseValues(args, type),
  };
}

/** The parameters as Strapi v4 passes them to the entity service and its listeners. */
function listParams(type: ContentType, args: Arguments, { pagination }: Listing): QueryInput {
  const { filters, sort, _q } = args;
  const { start, limit } = pagination;
  return {
    ...commonParams(type, args),
    ...(sort !== undefined && { sort }),
    start,
    limit,
    ...(!isAbsent(_q) && { _q }),
    ...(!isAbsent(filters) && { filters: filterInput(filters, type.attributes) }),
  };
}
