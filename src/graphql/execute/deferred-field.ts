import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { emptyQuery } from '../../documents/context.js';
import { presentList } from '../../documents/read-operation.js';
import { idIn, type Query } from '../../query/ast.js';
import { anyValues } from '../../query/plugin-parameters.js';
import { withinLimit } from '../../query/parse/parse-selection.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import { createBatchLoader } from '../../plugins/contract/batch-loader.js';
import type { ReadLimits } from './listing.js';
import { selectField } from './selection.js';

/** Whether the source of a field is an entry that can be read by its id: components cannot. */
export const isEntry = (
  model: ContentType | Component,
  source: Readonly<Record<string, unknown>>,
): model is ContentType => model.kind !== 'component' && Number.isSafeInteger(idOf(source));

const idOf = ({ id }: Readonly<Record<string, unknown>>): number => Number(id ?? Number.NaN);

/**
 * Reads a field when it is resolved, by one query for all entries that are resolved together. Used for fields with policies
 * of the project, and for entries that a resolver of the project returned. Undefined if the caller may not see the field.
 * @throws AppError tooCostly
 */
export type DeferredRead = (
  attribute: Attribute,
  type: ContentType,
  ...resolved: Parameters<GraphqlResolver>
) => unknown;

export function createDeferredRead(limits: ReadLimits): DeferredRead {
  const load = createBatchLoader<unknown>();
  return (attribute, type, source, args, context, info) => {
    const { caller } = context;
    const node = selectField(attribute, type, args, { info, caller, limits });
    if (node === undefined) return undefined;
    const { populate } = withinLimit({ populate: [node] }, limits.populateLimit);
    return load(context, `${node.key} ${JSON.stringify(args)}`, idOf(source), async (ids) => {
      const query: Query = {
        ...emptyQuery(type),
        populate,
        filter: idIn(ids),
        pagination: { form: 'offset', start: 0, limit: ids.length, withCount: false },
        // The entries themselves were found before, in any state and e.g. locale.
        publicationState: 'preview',
        parameters: anyValues(type),
      };
      const { signal, bytesRead } = context;
      const request = { action: 'find', query, caller, signal, bytesRead, presenter: graphqlPresenter } as const;
      const { entries } = await context.read(request, presentList);
      return new Map((entries as readonly Entity[]).map((entry) => [entry.id, entry.attributes[node.key]]));
    });
  };
}

interface Entity {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}
