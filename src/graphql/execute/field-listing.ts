import { getArgumentValues, GraphQLError, type GraphQLField } from 'graphql';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import { unbounded, type RelatedQuery } from '../../query/ast.js';
import type { Executed, FieldGroup } from './fields.js';
import { parseListing, publicationStateOf, type Arguments, type ListLimits } from './listing.js';

/** What a selection depends on in addition to the document: the caller and the limits. */
export interface Selecting {
  readonly executed: Executed;
  readonly caller: Caller;
  readonly limits: ListLimits;
}

/** A field of an entry or component, with all of its field groups that have the same arguments. */
export interface Field {
  readonly key: string;
  readonly model: ContentType | Component;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly fieldGroups: readonly FieldGroup[];
  /** Overrides the arguments in the document. */
  readonly args?: Arguments;
}

type Listed = Pick<RelatedQuery, 'filter' | 'sort' | 'start' | 'limit'> &
  Partial<Pick<RelatedQuery, 'publicationState'>>;

/** The parameters of a list from the arguments of its field; undefined when they are refused. */
export function listingOf(
  { definition, fieldGroups, args: fixedArgs }: Field,
  { attributes }: ContentType | Component,
  isList: boolean,
  { executed, caller, limits }: Selecting,
): Listed | undefined {
  const node = fieldGroups[0]?.[0];
  if (!isList || node === undefined) return unbounded;
  try {
    const args = fixedArgs ?? getArgumentValues(definition, node, executed.variableValues);
    const { filter, sort, pagination } = parseListing(args, attributes, caller, limits);
    const publicationState = publicationStateOf(args);
    const { start, limit } = pagination;
    return { filter, sort, start, limit, ...(publicationState && { publicationState }) };
  } catch (error) {
    if (error instanceof AppError || error instanceof GraphQLError) return undefined;
    throw error;
  }
}
