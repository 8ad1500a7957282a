import { getNamedType, isObjectType, type GraphQLResolveInfo } from 'graphql';
import lodash from 'lodash';
import { isAbsent } from '../../config/record.js';
import type { Attributes, ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { overlappingKeys, presentList } from '../../documents/read-operation.js';
import { forRead } from '../../documents/request-context.js';
import { assertReadable, withheldFrom } from '../../documents/rights.js';
import { AppError } from '../../errors/app-error.js';
import type { GroupsPage, ReadForm } from '../../plugins/contract/graphql/form.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import type { Query } from '../../query/ast.js';
import { measureFunctions, type MeasureFunction } from '../../query/measures.js';
import { entriesOf, isNested, type QueryInput } from '../../query/parse/input.js';
import { parseAggregate } from '../../query/parse/parse-aggregate.js';
import { isGroup } from '../../query/parse/parse-filters.js';
import { attributesBehindFor, attributesFor, type Audience } from '../../query/visibility.js';
import type { SchemaShape } from '../schema/shape.js';
import { collectFields, nameOf, selectedBy, within, type Selected } from './fields.js';
import { conditionsOn, keywordOf } from './filter-input.js';
import { pageInfo, parametersIn, type Arguments, type ReadLimits } from './listing.js';
import { rememberQueries } from './remember-queries.js';
import { requestsCount } from './selection-for-resolver.js';

interface GroupsOptions {
  readonly limits: ReadLimits;
  readonly shape: SchemaShape;
  readonly reads: Pick<ReadForm, 'presenter' | 'scope'>;
  /** Whether the service alone decides what lists of the type have, which code can change at any time. */
  readonly isOffered: (type: ContentType) => boolean;
}

/** Resolves the fields for groups of entries: by the parser, the rights and the read of the REST API. */
export function createGroupsRead({ limits, shape, reads, isOffered }: GroupsOptions) {
  const remembered = rememberQueries();
  return async (
    type: ContentType,
    args: Arguments,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<GroupsPage> => {
    if (!isOffered(type))
      throw new AppError('forbidden', 'Forbidden access: code of the project takes part in lists of this type');
    const query = remembered(info, args, context.caller, (caller) =>
      reads.scope(parseGroups(info, { args, type, caller, limits, shape }), args),
    );
    const request = { ...forRead(context, reads.presenter), action: 'find', query } as const;
    const { entries, total = 0 } = await context.read(request, presentList);
    const pagination = pageInfo(query.pagination, total);
    return { data: entries.map(shownGroup), meta: { pagination, overlapping: overlappingKeys(query) } };
  };
}

interface Asking extends Pick<GroupsOptions, 'limits' | 'shape'> {
  readonly args: Arguments;
  readonly type: ContentType;
  readonly caller: Caller;
}

/** @throws AppError invalidValue for a selected key by which entries are not grouped, and as `parseAggregate` */
function parseGroups(info: GraphQLResolveInfo, { args, type, caller, limits, shape }: Asking): Query {
  const { audience } = shape;
  const { publicationState, status, ...list } = parametersIn({ ...args, sort: undefined }, type, caller, shape);
  const group = within(info, selectedBy(info), shape.wayToGroups);
  const having = havingInput(args['having'], type, audience);
  const measured = measureFunctions.map((name) => [
    name,
    [...new Set([...pathsIn(info, within(info, group, name)), ...(having?.measured.get(name) ?? [])])],
  ]);
  const input: QueryInput = {
    ...list,
    // Other forms have states of their own.
    ...(audience === 'client' && { publicationState, status }),
    ...(Object.fromEntries(measured) as QueryInput),
    groupBy: keysInput(args['groupBy']),
    having: having?.conditions,
    sort: args['sort'],
    timeZone: args['timeZone'],
  };
  const query = parseAggregate(input, type, audience, { ...limits, withCount: false });
  const keys = new Set(query.aggregate?.keys.map(({ name }) => name));
  const absent = pathsIn(info, within(info, group, 'key')).find((path) => !keys.has(path));
  if (absent !== undefined)
    throw new AppError('invalidValue', `The key ${absent} is selected, but groupBy does not name it`);
  assertReadable(query, caller, withheldFrom(type, caller));
  return { ...query, pagination: { ...query.pagination, withCount: requestsCount(info, shape.wayToPage) } };
}

/** The paths of the values that are selected, as the REST API writes them. */
const pathsIn = (info: GraphQLResolveInfo, { type, fieldGroups }: Selected): readonly string[] =>
  fieldGroups.flatMap((nodes) =>
    [...collectFields(info, type, nodes).values()].flatMap((fieldGroup) => {
      const name = nameOf(fieldGroup);
      const below = getNamedType(type.getFields()[name]?.type);
      if (isObjectType(below))
        return pathsIn(info, { type: below, fieldGroups: [fieldGroup] }).map((path) => `${name}.${path}`);
      return name.startsWith('__') ? [] : [name];
    }),
  );

/** `groupBy` as the REST API has it: the enums have its values. A part that is null has no effect. */
export function keysInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysInput);
  if (!isNested(value)) return value;
  return Object.fromEntries(given(value).map(([name, inner]) => [name, keysInput(inner)]));
}

const given = (value: QueryInput): readonly (readonly [string, unknown])[] =>
  entriesOf(value).filter(([, inner]) => !isAbsent(inner));

interface Having {
  /** As the REST API has them. */
  readonly conditions: unknown;
  /** The paths that they are about. */
  readonly measured: ReadonlyMap<MeasureFunction, readonly string[]>;
}

/** The argument `having`; undefined if there is none. @throws AppError as `filterInput` */
export function havingInput(value: unknown, type: ContentType, audience: Audience): Having | undefined {
  const measured = new Map<MeasureFunction, string[]>();
  const onMeasure = (name: MeasureFunction, inner: unknown): QueryInput => {
    const conditions = conditionsBehind(inner, attributesFor(type, audience), audience);
    measured.set(name, [...(measured.get(name) ?? []), ...conditions.map(([path]) => path)]);
    return Object.fromEntries(conditions);
  };
  const convert = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(convert);
    if (!isNested(part)) throw new AppError('invalidParameter', 'having');
    return Object.fromEntries(
      given(part).map(([name, inner]) => {
        const measure = measureFunctions.find((one) => one === name);
        if (measure !== undefined) return [name, onMeasure(measure, inner)];
        const group = keywordOf(name);
        return isGroup(group) ? [group, convert(inner)] : [name, conditionsOn(inner, name)];
      }),
    );
  };
  return isAbsent(value) ? undefined : { conditions: convert(value), measured };
}

/** The conditions on the values behind attributes, by their paths. */
function conditionsBehind(
  value: unknown,
  attributes: Attributes,
  audience: Audience,
): readonly (readonly [string, unknown])[] {
  if (!isNested(value)) throw new AppError('invalidParameter', 'having');
  return given(value).flatMap(([name, inner]) => {
    const behind = attributesBehindFor(attributes.get(name), audience);
    if (behind === undefined) return [[name, conditionsOn(inner, name)] as const];
    return conditionsBehind(inner, behind, audience).map(([path, of]) => [`${name}.${path}`, of] as const);
  });
}

/**
 * A group as its type shows it: the values at paths are nested, and each function is there, even if nothing of it is
 * asked.
 */
const shownGroup = (group: unknown): object => {
  const values = group as Readonly<Record<string, object>>;
  const parts = ['key', ...measureFunctions].map((name) => [name, nestedValues(values[name] ?? {})]);
  return { count: values['count'], ...(Object.fromEntries(parts) as object) };
};

function nestedValues(values: object): object {
  const tree = {};
  for (const [path, value] of entriesOf(values)) lodash.setWith(tree, path.split('.'), value, Object);
  return tree;
}
