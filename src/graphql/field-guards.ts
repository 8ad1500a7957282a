import lodash from 'lodash';
import { isAbsent } from '../config/record.js';
import type { ContentType } from '../content-types/model/types.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import { AppError } from '../errors/app-error.js';
import type { GraphqlForm, RootOperation } from '../plugins/contract/graphql/form.js';
import { parseId } from '../query/parse/input.js';
import { parseValues, refuseAlternatives } from '../query/plugin-parameters.js';
import { attributesFor, type Audience } from '../query/visibility.js';
import type { GraphqlContext } from '../plugins/contract/graphql/parts.js';
import type { GeneratedSchema } from './schema/generate.js';
import type { RootField } from './schema/root-fields.js';
import { filterInput } from './execute/filter-input.js';
import { havingInput, keysInput } from './execute/groups.js';
import { publicationStateOf, type Arguments } from './execute/listing.js';

/**
 * Resolves a root field after the project's policies have passed. They know entries by their numbers: where the
 * arguments name one that has none, they are not asked, and the field has no value.
 * @throws AppError forbidden, badRequest, notFound, and errors of project code
 */
export type FieldGuard = (args: Arguments, context: GraphqlContext, resolve: () => unknown) => Promise<unknown>;

/** By root field, e.g. `Query.articles`; undefined if its action has no policy. */
export type FieldGuards = (path: string) => FieldGuard | undefined;

/** @param rights the action of each root field */
export function createFieldGuards(
  { query, mutation }: Pick<GeneratedSchema, 'query' | 'mutation'>,
  rights: ReadonlyMap<string, string | undefined>,
  guards: ActionGuards,
  form?: Pick<GraphqlForm, 'numberOf' | 'reads'>,
): FieldGuards {
  return (path) => {
    const [root, name = ''] = path.split('.');
    const field = (root === 'Query' ? query : mutation).get(name);
    const type = field?.type;
    const action = rights.get(path);
    const guard = action === undefined ? undefined : guards(action);
    if (action === undefined || guard === undefined) return undefined;
    const named = field && operationOnEntry(field.operation);
    const numberOf = (args: Arguments) =>
      form === undefined || field === undefined || named === undefined
        ? parseId(args['id'])
        : form.numberOf(field.type, args, named);
    return async (args, { caller }, resolve) => {
      if (field?.operation === 'findOne') refuseOtherNames(args, field.type);
      const namesEntry = field === undefined ? args['id'] !== undefined : named !== undefined;
      const number = namesEntry ? await numberOf(args) : undefined;
      if (namesEntry && number === undefined) return noEntry(field);
      const request = requestOf(args, type, form?.reads.audience);
      await guard({ action, caller, ...request, id: number === undefined ? '' : String(number) });
      return resolve();
    };
  };
}

/**
 * As recorded, a missing entry is null, without an error; fields of plugins are not like that.
 * @throws AppError notFound
 */
function noEntry(field: RootField | undefined): { readonly value: null } {
  if (field === undefined) throw new AppError('notFound');
  return { value: null };
}

/** The operation of a field whose arguments name one entry; undefined for others. */
const operationOnEntry = (operation: RootOperation) =>
  operation === 'findOne' || operation === 'update' || operation === 'delete' ? operation : undefined;

/**
 * Refuses arguments by which a field shows another entry than the one that its id names, and other names of entries:
 * code of the project knows them by their ids.
 * @throws AppError badRequest
 */
export function refuseOtherNames(args: Arguments, type: ContentType): void {
  if (!isAbsent(args['by'])) throw new AppError('badRequest', `by is not supported here: ${CODE_DECIDES}`);
  refuseAlternatives({ type, parameters: parseValues(args, type) }, CODE_DECIDES);
}

const CODE_DECIDES = 'code of the project decides about the entry that the id names';

/** A value as a request to the REST API has it. */
const asSent = (value: unknown): unknown =>
  lodash.cloneDeepWith(value, (part: unknown) => {
    if (part instanceof Date) return part.toISOString();
    if (typeof part === 'bigint') return String(part);
    return Array.isArray(part) || lodash.isPlainObject(part) ? undefined : part;
  });

/** Arguments in the form of a request to the REST API. */
function requestOf(args: Arguments, type: ContentType | undefined, audience: Audience = 'client') {
  const {
    id: _id,
    data,
    input,
    filters,
    publicationState: _state,
    groupBy,
    having,
    ...rest
  } = asSent(args) as Arguments;
  const publicationState = publicationStateOf(args);
  return {
    query: {
      ...rest,
      ...(!isAbsent(groupBy) && { groupBy: keysInput(groupBy) }),
      ...(!isAbsent(having) && {
        having: type === undefined ? having : havingInput(having, type, audience)?.conditions,
      }),
      ...(filters !== undefined && {
        filters: type === undefined ? filters : filterInput(filters, attributesFor(type, audience), audience),
      }),
      ...(publicationState && { publicationState }),
    },
    body: data === undefined ? input : { data },
  };
}
