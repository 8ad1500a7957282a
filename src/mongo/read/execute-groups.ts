import { type Db, type Document, MongoServerError } from 'mongodb';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import { COUNT, keyField, type Field } from '../../query/ast.js';
import { bindIds } from '../compile/filter/semi-join.js';
import { TOO_MANY_ROWS } from '../compile/groups/levels.js';
import type { GroupPlan } from '../compile/plan.js';
import { translated } from '../errors.js';
import { readIds, type ReadOptions } from './execute-read.js';
import { documentOf, readRows, type ReadCommand } from './read-batch.js';

/** The maximum number of groups, on all pages. */
const MAX_GROUPS = 100_000;

/** One group of entries, as it is answered. */
export interface Group {
  readonly key: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** A page of groups; `total` is the number of all. */
export interface GroupPage {
  readonly groups: readonly Group[];
  readonly total: number;
}

/** The one document of a pipeline. */
interface Result {
  readonly page?: readonly Document[];
  readonly total?: readonly Counted[];
  /** All groups, if `total` is only of those that match `having`. */
  readonly all?: readonly Counted[];
  readonly again?: readonly unknown[];
}

interface Counted {
  readonly count: number;
}

/**
 * Runs the preceding reads, and the pipelines until one of them is right.
 * @throws AppError unavailable, outOfTime, tooManyGroups, tooCostly
 */
export async function executeGroups(
  db: Db,
  plan: GroupPlan,
  options: Omit<ReadOptions, 'findEntry'> & { readonly hint: Document | undefined },
): Promise<GroupPage> {
  const { before } = plan;
  const types = before.flatMap(({ type }) => type ?? []);
  return translated(async () => {
    const versions = types.length === 0 ? undefined : await options.readVersions?.(types);
    const ids = await readIds(db, before, options, versions);
    for (const command of groupCommands(plan, ids, options.hint)) {
      const result = await readResult(db, command, options);
      if ((result.again ?? []).length > 0) continue;
      const [total] = result.total ?? [];
      const [all = total] = result.all ?? [];
      if ((all?.count ?? 0) > MAX_GROUPS) throw tooManyGroups();
      return {
        groups: (result.page ?? []).map((group) => readGroup(group, plan)),
        total: total?.count ?? 0,
      };
    }
    throw new Error('No pipeline is right');
  });
}

/**
 * The commands of a plan, with the ids of its preceding reads; see `pipelines`. They never use the disk: an answer that
 * needs it takes more memory than a request may.
 * @param hint how the first one reads entries
 */
export function groupCommands(
  { count: { collection }, pipelines: [first, ...others] }: GroupPlan,
  ids: readonly (readonly unknown[])[],
  hint: Document | undefined,
): readonly [GroupCommand, ...GroupCommand[]] {
  const command = (pipeline: readonly Document[]): GroupCommand => ({
    aggregate: collection,
    pipeline: bindIds(pipeline, ids),
    allowDiskUse: false,
  });
  return [{ ...command(first), ...(hint && { hint }) }, ...others.map(command)];
}

type GroupCommand = ReadCommand & Document;

const tooManyGroups = (): AppError => new AppError('tooManyGroups', MAX_GROUPS);

async function readResult(
  db: Db,
  command: GroupCommand,
  options: Pick<ReadOptions, 'timeout' | 'signal' | 'count'>,
): Promise<Result> {
  try {
    const { rows, bytes } = await readRows(db, command, options.timeout, options.signal);
    options.count?.(bytes);
    return documentOf(rows[0] ?? {});
  } catch (error) {
    if (hasCode(error, 'answerTooLarge') || hasCode(error, 'stepTooLarge') || isOutOfMemory(error))
      throw tooManyGroups();
    if (error instanceof MongoServerError && error.code === UNKNOWN_TIME_ZONE)
      throw new AppError('invalidParameter', 'timeZone');
    throw error;
  }
}

/** A stage needs more than its memory, and may not use the disk. */
const OUT_OF_MEMORY = 292;
/** The database's list of time zones can be older than that of this process. */
const UNKNOWN_TIME_ZONE = 40_485;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === OUT_OF_MEMORY || error.code === TOO_MANY_ROWS);

function readGroup(group: Document, { keys, measures }: GroupPlan): Group {
  const results: Record<string, Record<string, unknown>> = {};
  for (const { function: name, name: path, attribute } of measures) {
    const ofFunction = (results[name] ??= {});
    ofFunction[path] = decoded((group[name] as Document)[attribute.name], attribute);
  }
  return {
    key: Object.fromEntries(keys.map(({ name, field }, index) => [name, decoded(group[keyField(index)], field)])),
    count: Number(group[COUNT]),
    ...results,
  };
}

/** A value as entries show it. Numbers beyond 2^53 come as objects of the driver. */
function decoded(value: unknown, field: Field | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (field?.kind !== 'scalar') return value;
  const { decode, kind } = attributeTypes[field.type];
  if (decode !== undefined) return decode(value, field.dialect);
  return kind === 'number' ? Number(value) : value;
}
