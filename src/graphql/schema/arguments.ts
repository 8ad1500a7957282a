import type { Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, namesOf } from '../../plugins/contract/graphql/names.js';

/** `(…)` of a field that returns several entries or components; empty for one without arguments. */
export function listArguments(model: ContentType | Component, further: readonly string[] = []): string {
  const state =
    model.kind !== 'component' && model.draftAndPublish ? ['publicationState: PublicationState = LIVE'] : [];
  if (model.kind === 'singleType') return inBrackets([...state, ...further]);
  const { filters } = model.kind === 'component' ? componentNames(model) : namesOf(model);
  const list = [`filters: ${filters}`, 'pagination: PaginationArg = {}', 'sort: [String] = []'];
  return inBrackets([...list, ...state, ...further]);
}

export const inBrackets = (list: readonly string[]): string => (list.length === 0 ? '' : `(${list.join(', ')})`);
