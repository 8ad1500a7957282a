import type { Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, namesOf } from '../../plugins/contract/graphql/names.js';
import { parameters } from '../../query/parse/parse-query.js';

/** Single types have no lists. */
const parts = { list: ['filter', 'page', 'state'], single: ['state'] } as const;

/**
 * `(…)` of a field that returns several entries or components, in Strapi v4's order: by part and name; empty for one
 * without arguments.
 */
export function listArguments(model: ContentType | Component, further: readonly string[] = []): string {
  const { filters } = model.kind === 'component' ? componentNames(model) : namesOf(model);
  const own = parts[model.kind === 'singleType' ? 'single' : 'list'].flatMap((part) =>
    parameters
      .flatMap((row) => {
        const type = row.part === part ? row.graphql?.(model, filters) : undefined;
        return type === undefined ? [] : [`${row.name}: ${type}`];
      })
      .toSorted(),
  );
  return inBrackets([...own, ...further]);
}

export const inBrackets = (list: readonly string[]): string => (list.length === 0 ? '' : `(${list.join(', ')})`);
