import lodash from 'lodash';
import type { ContentType } from '../content-types/model/types.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { GraphqlContext } from '../plugins/contract/graphql/parts.js';
import type { GeneratedSchema } from './schema/generate.js';
import { filterInput } from './execute/filter-input.js';
import { publicationStateOf, type Arguments } from './execute/listing.js';

/** Runs the project's policies before a root field. @throws AppError forbidden, and errors of project code */
export type FieldGuard = (args: Arguments, context: GraphqlContext) => Promise<void>;

/** By root field, e.g. `Query.articles`; undefined if its action has no policy. */
export type FieldGuards = (path: string) => FieldGuard | undefined;

/** @param rights the action of each root field */
export function createFieldGuards(
  { query, mutation }: Pick<GeneratedSchema, 'query' | 'mutation'>,
  rights: ReadonlyMap<string, string | undefined>,
  guards: ActionGuards,
): FieldGuards {
  return (path) => {
    const [root, name = ''] = path.split('.');
    const type = (root === 'Query' ? query : mutation).get(name)?.type;
    const action = rights.get(path);
    const guard = action === undefined ? undefined : guards(action);
    if (action === undefined || guard === undefined) return undefined;
    return (args, { caller }) => guard({ action, caller, ...requestOf(args, type) });
  };
}

/** A value as a request to the REST API has it. */
const asSent = (value: unknown): unknown =>
  lodash.cloneDeepWith(value, (part: unknown) => {
    if (part instanceof Date) return part.toISOString();
    if (typeof part === 'bigint') return String(part);
    return Array.isArray(part) || lodash.isPlainObject(part) ? undefined : part;
  });

/** Arguments in the form of a request to the REST API. */
function requestOf(args: Arguments, type: ContentType | undefined) {
  const { id, data, input, filters, publicationState: _state, ...rest } = asSent(args) as Arguments;
  const publicationState = publicationStateOf(args);
  return {
    id: id === undefined ? '' : String(id),
    query: {
      ...rest,
      ...(filters !== undefined && { filters: type === undefined ? filters : filterInput(filters, type.attributes) }),
      ...(publicationState && { publicationState }),
    },
    body: data === undefined ? input : { data },
  };
}
