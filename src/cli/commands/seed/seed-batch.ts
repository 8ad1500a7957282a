import pLimit from 'p-limit';
import type { Registry } from '../../../content-types/model/types.js';
import type { Entries } from '../../../documents/entries.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import type { Issue } from '../../../errors/codes.js';
import type { Key, ReferenceIds } from './reference-ids.js';
import type { Reporter } from './reporter.js';
import { mapReferences, type Reference } from './references.js';
import type { Batch, EntryRow, Section } from './row.js';

/** The target of rows, and the callbacks. */
interface Seeding {
  readonly registry: Registry;
  readonly entries: Entries;
  readonly referenceIds: ReferenceIds;
  /** If it is aborted, rows that have not started are left for another run. */
  readonly stopping: AbortSignal;
  readonly reporter: Pick<Reporter, 'stored' | 'existing' | 'failed'>;
}

/** Creates that wait for the database at a time: they share commands. */
const CONCURRENCY = 32;

/** A row and the entries that it leads to. */
interface Pending extends EntryRow {
  readonly references: readonly Reference[];
}

/**
 * Puts the rows of a batch in; those that lead to others of the batch follow these. A few queries serve all of them.
 * @throws AppError unavailable when the database is away
 */
export async function seedBatch(batch: Batch, seeding: Seeding): Promise<void> {
  const { section, file } = batch;
  const { entries, registry, stopping, reporter } = seeding;
  for (const failure of batch.failures) reporter.failed([failure]);
  if (section === undefined || batch.rows.length === 0) return;
  const { type } = section;
  const fail = ({ line }: EntryRow, issues: readonly Issue[]): void => {
    reporter.failed(
      issues.map(({ path, message }) => ({ file, line, type: type.uid, path: path.join('.'), rule: message })),
    );
  };

  const existing = await findThere(batch.rows, section, seeding);
  let unresolvedRows: readonly Pending[] = batch.rows.flatMap((row) => {
    const key = rowKey(row, section);
    if (isEmpty(key)) {
      fail(row, [{ path: [key?.key ?? ''], message: 'is the key and must not be empty' }]);
      return [];
    }
    const text = key === undefined ? SINGLE : seeding.referenceIds.textOf(key);
    if (existing.has(text)) {
      reporter.existing();
      return [];
    }
    existing.add(text);
    const { references, issues } = readRow(row, section, registry);
    if (issues.length > 0) fail(row, issues);
    return issues.length > 0 ? [] : [{ ...row, references }];
  });

  while (unresolvedRows.length > 0) {
    const idOf = await seeding.referenceIds.resolve(unresolvedRows.flatMap(({ references }) => references));
    const unresolved = ({ references }: Pending): readonly Reference[] =>
      references.filter((reference) => idOf(reference) === undefined);
    const ready = unresolvedRows.filter((row) => unresolved(row).length === 0);
    unresolvedRows = unresolvedRows.filter((row) => unresolved(row).length > 0);
    let stored = 0;
    const create = async (row: Pending): Promise<void> => {
      if (stopping.aborted) return;
      const visit = { contentTypes: registry.contentTypes, reference: idOf, issue: () => {} };
      const data = mapReferences(row.data, type.attributes, visit);
      const refusal = await refusalOf(() => entries.create(type.uid, data, { fields: ['id'] }));
      if (refusal !== undefined) return fail(row, issuesOf(refusal));
      stored += 1;
      reporter.stored();
    };
    await pLimit(CONCURRENCY).map(ready, create);
    if (stopping.aborted) return;
    if (stored > 0) continue;
    for (const row of unresolvedRows) fail(row, unresolved(row).map(isNotThere));
    return;
  }
}

/** The key of a single type's only entry. */
const SINGLE = '';

const rowKey = ({ data }: EntryRow, { type, key }: Section): Key | undefined =>
  key && { type, key: key.name, value: data[key.name], locale: data['locale'] };

const isEmpty = (key: Key | undefined): boolean => key !== undefined && (key.value ?? '') === '';

/** The keys of rows whose entries exist. */
async function findThere(
  rows: readonly EntryRow[],
  section: Section,
  { entries, referenceIds }: Seeding,
): Promise<Set<string>> {
  if (section.key === undefined) return new Set((await entries.count(section.type.uid)) > 0 ? [SINGLE] : []);
  const keys = rows.flatMap((row) => rowKey(row, section) ?? []).filter((key) => !isEmpty(key));
  return new Set((await referenceIds.find(keys)).keys());
}

function readRow({ data }: EntryRow, { type }: Section, { contentTypes }: Registry) {
  const references: Reference[] = [];
  const issues: Issue[] = [];
  mapReferences(data, type.attributes, {
    contentTypes,
    reference: (reference) => references.push(reference),
    issue: (issue) => issues.push(issue),
  });
  return { references, issues };
}

/** Why something was not stored; undefined if it was. @throws AppError unavailable, outOfTime */
export async function refusalOf(store: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await store();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || hasCode(error, 'unavailable', 'outOfTime')) throw error;
    return error;
  }
}

/** Without the null that Strapi v4 lists last among the values of an enumeration. */
const issuesOf = ({ details, message }: AppError): readonly Issue[] =>
  (details?.errors ?? [{ path: [], message }]).map((issue) => ({
    ...issue,
    message: issue.message.replace(/, $/, ''),
  }));

const isNotThere = ({ type, key, value, path }: Reference): Issue => ({
  path,
  message: `no ${type.uid} has the ${key} ${JSON.stringify(value)}; put it before this row`,
});
