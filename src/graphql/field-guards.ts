import lodash from 'lodash';
import type { ContentType } from '../content-types/model/types.js';
import type { ActionGuards } from '../plugins/contract/access/policy-request.js';
import type { GraphqlForm } from '../plugins/contract/graphql/form.js';
import { attributesFor, type Audience } from '../query/visibility.js';
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
  form?: Pick<GraphqlForm, 'numberOf' | 'reads'>,
): FieldGuards {
  return (path) => {
    const [root, name = ''] = path.split('.');
    const type = (root === 'Query' ? query : mutation).get(name)?.type;
    const action = rights.get(path);
    const guard = action === undefined ? undefined : guards(action);
    if (action === undefined || guard === undefined) return undefined;
    return async (args, { caller }) => {
      const request = requestOf(args, type, form?.reads.audience);
      if (form === undefined) return guard({ action, caller, ...request });
      const id = type === undefined ? undefined : await form.numberOf(type, args);
      return guard({ action, caller, ...request, id: id === undefined ? request.id : String(id) });
    };
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
function requestOf(args: Arguments, type: ContentType | undefined, audience: Audience = 'client') {
  const { id, data, input, filters, publicationState: _state, ...rest } = asSent(args) as Arguments;
  const publicationState = publicationStateOf(args);
  return {
    id: id === undefined ? '' : String(id),
    query: {
      ...rest,
      ...(filters !== undefined && {
        filters: type === undefined ? filters : filterInput(filters, attributesFor(type, audience), audience),
      }),
      ...(publicationState && { publicationState }),
    },
    body: data === undefined ? input : { data },
  };
}
