import { attributesBehind } from '../../content-types/model/attributes-behind.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { permittedData } from '../../documents/input/permitted-data.js';
import { AppError } from '../../errors/app-error.js';
import { entriesOf, isObject, type QueryInput } from '../../query/parse/input.js';
import { requireId } from '../../query/parse/parse-id.js';
import type { EntityService } from '../../plugins/contract/application.js';
import { pageInfo, parseListing, publicationStateOf, type Arguments, type Listing } from './listing.js';
import { dataOf, orNothing, type Operations } from './root-resolvers.js';
import { selectsPagination, type ReadLimits } from './selection-for-resolver.js';
import { toEntity } from './to-entity.js';

type Attributes = ReadonlyMap<string, Attribute>;
type Values = Readonly<Record<string, unknown>>;

/**
 * The generated queries and mutations of content types whose lifecycle events project code observes: they go through the entity
 * service, which runs the events, as in Strapi v4. What an entry leads to is read when its field is resolved.
 */
export function observedOperations(entityService: EntityService, limits: ReadLimits): Operations {
  const single = async (type: ContentType, args: Arguments): Promise<Values | null> =>
    (await entityService.findMany(type.uid, stateAndLocale(type, args))) as unknown as Values | null;
  const answer = async (entry: Promise<Values | null>): Promise<{ readonly data: unknown }> => {
    const found = await entry;
    return { data: found === null ? null : toEntity(found) };
  };
  return {
    find: async (type, args, { caller }, info) => {
      const listing = parseListing(args, type.attributes, caller, limits);
      const params = listParams(type, args, listing);
      const entries = await entityService.findMany(type.uid, params);
      const total = selectsPagination(info) ? await entityService.count(type.uid, params) : 0;
      return { data: entries.map(toEntity), meta: { pagination: pageInfo(listing.pagination, total) } };
    },
    findOne: (type, args) =>
      orNothing(async () => {
        const found = await entityService.findOne(type.uid, requireId(args['id']));
        return found && toEntity(found);
      }),
    findSingle: (type, args) => answer(single(type, args)),
    create: (type, args, { caller }) => {
      const data = permittedData(dataOf(args), type, caller);
      return answer(entityService.create(type.uid, { data }));
    },
    update: (type, args, { caller }) =>
      orNothing(async () => {
        const data = permittedData(dataOf(args), type, caller);
        const updated = await entityService.update(type.uid, requireId(args['id']), { data });
        return updated && toEntity(updated);
      }),
    delete: (type, args) =>
      orNothing(async () => {
        const deleted = await entityService.delete(type.uid, requireId(args['id']));
        return deleted && toEntity(deleted);
      }),
    updateSingle: async (type, args, { caller }) => {
      const data = permittedData(dataOf(args), type, caller);
      const found = await single(type, { ...args, publicationState: 'preview' });
      if (found === null) return answer(entityService.create(type.uid, { data }));
      return answer(entityService.update(type.uid, Number(found['id']), { data }));
    },
    deleteSingle: async (type, args) => {
      const found = await single(type, { ...args, publicationState: 'preview' });
      if (found === null) throw new AppError('notFound', 'Entity not found');
      return answer(entityService.delete(type.uid, Number(found['id'])));
    },
  };
}

function stateAndLocale({ draftAndPublish }: ContentType, args: Arguments): QueryInput {
  const { locale } = args;
  return {
    ...(draftAndPublish && { publicationState: publicationStateOf(args) }),
    ...(locale !== undefined && { locale }),
  };
}

/** The parameters as Strapi v4 hands them to the entity service, where listeners see them. */
function listParams(type: ContentType, args: Arguments, { pagination }: Listing): QueryInput {
  const { filters, sort } = args;
  const { start, limit } = pagination;
  return {
    ...stateAndLocale(type, args),
    ...(sort !== undefined && { sort }),
    start,
    limit,
    ...(isObject(filters) && { filters: strapiFilters(filters, type.attributes) }),
  };
}

const groups = new Set(['and', 'or', 'not']);

/** GraphQL filters with Strapi's operators; each stays where it is. */
function strapiFilters(filters: unknown, attributes: Attributes): unknown {
  if (Array.isArray(filters)) return filters.map((one) => strapiFilters(one, attributes));
  if (!isObject(filters)) return {};
  const converted = entriesOf(filters).flatMap(([name, value]): [string, unknown][] => {
    const attribute = attributes.get(name);
    if (name === 'id' || attribute?.kind === 'scalar') return [[name, strapiConditions(value)]];
    if (attribute !== undefined) return [[name, strapiFilters(value, attributesBehind(attribute) ?? new Map())]];
    return groups.has(name) ? [[`$${name}`, strapiFilters(value, attributes)]] : [];
  });
  return Object.fromEntries(converted);
}

function strapiConditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strapiConditions);
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(entriesOf(value).map(([operator, operand]) => [`$${operator}`, strapiConditions(operand)]));
}
