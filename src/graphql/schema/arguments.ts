import type { Component, ContentType } from '../../content-types/model/types.js';
import { componentNames, namesOf } from '../../plugins/contract/graphql/names.js';

/** `(…)` of a field that gives several entries or components; empty for one without arguments. */
export function listArguments(of: ContentType | Component, further: readonly string[] = []): string {
  const state = of.kind !== 'component' && of.draftAndPublish ? ['publicationState: PublicationState = LIVE'] : [];
  if (of.kind === 'singleType') return inBrackets([...state, ...further]);
  const { filters } = of.kind === 'component' ? componentNames(of) : namesOf(of);
  const list = [`filters: ${filters}`, 'pagination: PaginationArg = {}', 'sort: [String] = []'];
  return inBrackets([...list, ...state, ...further]);
}

export const inBrackets = (list: readonly string[]): string => (list.length === 0 ? '' : `(${list.join(', ')})`);
