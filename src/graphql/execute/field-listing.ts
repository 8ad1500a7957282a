import { getArgumentValues, GraphQLError, type GraphQLField } from 'graphql';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import { everything, type RelatedQuery } from '../../query/ast.js';
import type { Executed, FieldGroup } from './fields.js';
import { parseListing, publicationStateOf, type Arguments, type ListLimits } from './listing.js';

/** What decides about a selection beside the document: who asks, and how much they get. */
export interface Selecting {
  readonly executed: Executed;
  readonly caller: Caller;
  readonly limits: ListLimits;
}

/** A field of an entry or component, with all its mentions that have the same arguments. */
export interface Field {
  readonly key: string;
  readonly of: ContentType | Component;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly mentions: readonly FieldGroup[];
  /** In place of those in the document. */
  readonly args?: Arguments;
}

type Listed = Pick<RelatedQuery, 'filter' | 'sort' | 'start' | 'limit'> &
  Partial<Pick<RelatedQuery, 'publicationState'>>;

/** What the arguments of a field say about its list; undefined when they are refused. */
export function listingOf(
  { definition, mentions, args: given }: Field,
  { attributes }: ContentType | Component,
  many: boolean,
  { executed, caller, limits }: Selecting,
): Listed | undefined {
  const node = mentions[0]?.[0];
  if (!many || node === undefined) return everything;
  try {
    const args = given ?? getArgumentValues(definition, node, executed.variableValues);
    const { filter, sort, pagination } = parseListing(args, attributes, caller, limits);
    const publicationState = publicationStateOf(args);
    const { start, limit } = pagination;
    return { filter, sort, start, limit, ...(publicationState && { publicationState }) };
  } catch (error) {
    if (error instanceof AppError || error instanceof GraphQLError) return undefined;
    throw error;
  }
}
