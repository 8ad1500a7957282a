import type { Document } from 'mongodb';
import type { Query } from '../../../query/ast.js';
import type { Write } from '../../../query/mutation.js';
import type { Plan } from '../plan.js';
import { compileQuery } from '../read/compile-query.js';
import { compileWrite, updateStages } from './write.js';

/** A write that stores an entry. */
export type StoringWrite = Write & { readonly kind: 'insert' | 'update' };

/**
 * A query for one entry as a plan that reads it as the write would store it: the stages of the write come first.
 * @param condition the write changes only an entry that matches it
 */
export function previewPlan(write: StoringWrite, query: Query, condition: Document | undefined): Plan {
  const plan = compileQuery(query);
  const { main } = plan;
  return { ...plan, main: { ...main, id: undefined, source: [...stagesOf(write, condition), ...main.source] } };
}

function stagesOf(write: StoringWrite, condition: Document | undefined): readonly Document[] {
  const [command] = compileWrite(write);
  // A facet returns one document, also for an empty collection.
  if (command?.kind === 'insert')
    return [{ $facet: { any: [{ $limit: 1 }] } }, { $replaceWith: { $literal: command.document } }];
  if (command?.kind !== 'update') throw new Error(`a write of the kind ${write.kind} cannot be previewed`);
  const { filter } = command;
  return [{ $match: condition === undefined ? filter : { $and: [filter, condition] } }, ...updateStages(write.changes)];
}
