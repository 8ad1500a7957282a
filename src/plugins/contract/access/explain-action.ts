import type { ContentType } from '../../../content-types/model/types.js';
import { system, type Caller } from '../../../documents/caller.js';
import { emptyQuery } from '../../../documents/context.js';
import type { Documents } from '../../../documents/documents.js';
import type { Action } from '../../../documents/interceptors.js';
import { readAction } from '../../../documents/rights.js';
import { hasCode } from '../../../errors/app-error.js';
import { both, id as idField, type Filter } from '../../../query/ast.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import type { Rules } from './access.js';

/** An action of a caller, on one entry if there is an id. */
interface Asked {
  readonly action: string;
  readonly type: ContentType | undefined;
  readonly id: number | undefined;
  readonly caller: Caller;
  /** Those of the caller. */
  readonly rules: Rules | undefined;
}

/** Explains for people why a caller may or may not perform an action, on one entry if there is an id. */
export async function explainAction(documents: Documents, asked: Asked) {
  const { action, type, caller, rules } = asked;
  const conditions = type === undefined ? [] : conditionsOf(documents, type, action, caller);
  const filters = conditions.map(({ filter }) => filter).reduce<Filter | undefined>(both, undefined);
  const { declared = [], withheld = [] } = rules?.get(action) ?? {};
  const set = valuesOf(caller, action);
  return {
    action,
    ...(await decide(documents, asked, conditions)),
    /** The entries of `permissions` with a rule. */
    rule: declared,
    /** The values that a new entry gets. */
    ...(set !== undefined && { set }),
    /** The attributes that may not be read or written. */
    withheld: [...withheld].map(({ name }) => name),
    /** The filter for the database, with the ids found in other collections. */
    ...(type !== undefined && filters !== undefined && { filter: await compile(documents, type, filters) }),
  };
}

/** A condition on entries, and the explanation if an entry does not match it. */
interface NamedCondition {
  readonly filter: Filter;
  readonly otherwise: string;
}

function conditionsOf(
  documents: Documents,
  type: ContentType,
  action: string,
  caller: Caller,
): readonly NamedCondition[] {
  const name = action.slice(type.uid.length + 1) as Action | 'destroy';
  if (!['find', 'findOne', 'update', 'delete', 'destroy'].includes(name)) return [];
  const read = readAction(
    type,
    type.kind === 'singleType' ? 'findSingle' : name === 'destroy' ? 'delete' : name,
    caller,
  );
  const live: readonly NamedCondition[] = documents.hidesDrafts(type, caller)
    ? [{ filter: { kind: 'live' }, otherwise: 'it is a draft, and the caller may not see drafts' }]
    : [];
  const limits = [...new Set([read, action])].flatMap((limit): readonly NamedCondition[] => {
    const filter = caller.where?.(limit);
    return filter === undefined ? [] : [{ filter, otherwise: `it does not match the rule of ${limit}` }];
  });
  return [...live, ...limits];
}

async function decide(
  documents: Documents,
  { action, type, id, caller }: Asked,
  conditions: readonly NamedCondition[],
): Promise<{ readonly allowed: boolean; readonly because: string }> {
  if (!caller.may(action)) return { allowed: false, because: `the caller has no permission ${action}` };
  if (type === undefined || id === undefined) {
    return {
      allowed: true,
      because: conditions.length === 0 ? 'nothing limits it' : 'for the entries that match the filter',
    };
  }
  const isOne = { kind: 'comparison', field: idField, operator: '$eq', operands: [id] } as const;
  if ((await documents.count(type, isOne)) === 0) return { allowed: false, because: `there is no entry ${id}` };
  for (const { filter, otherwise } of conditions) {
    if ((await documents.count(type, both(filter, isOne))) === 0) return { allowed: false, because: otherwise };
  }
  return { allowed: true, because: conditions.length === 0 ? 'nothing limits it' : 'the entry matches' };
}

/** The values that a rule sets; undefined for none, and text if the caller has no value for a variable. */
function valuesOf(caller: Caller, action: string): unknown {
  try {
    return caller.set?.(action);
  } catch (error) {
    if (hasCode(error, 'forbidden')) return (error as Error).message;
    throw error;
  }
}

/** The filter of the command that a read with this filter sends. */
async function compile(documents: Documents, type: ContentType, filter: Filter): Promise<unknown> {
  const query = { ...emptyQuery(type), filter, publicationState: 'preview', locale: 'all' } as const;
  return documents.read(
    { action: 'find', query, caller: system, presenter: plainEntry, explained: true },
    ({ explanation }): unknown => explanation?.main.command['filter'],
  );
}
