import { attributeTypes, type ScalarValue } from '../../content-types/model/attribute-types.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import { isUnique, isUniquePerLocale } from '../../content-types/model/unique.js';
import { type Filter, id as idField } from '../../query/ast.js';
import { uniqueKey, type CopyUse } from '../../query/mutation.js';
import { type DocumentsContext, emptyQuery } from '../context.js';
import { castData, parseEntry } from '../input/parse-entry.js';
import { type EntryInput, pathOfComponent } from '../input/entry-input.js';
import { orderOfIssues } from '../input/validate/issue-order.js';
import { localeOf } from '../read.js';
import { duplicateOf, type Duplicate } from '../../mongo/errors.js';
import { preparedData } from './assert-publishable.js';
import type { EncodedEntry } from './encode.js';

export const taken = (path: readonly string[]): Issue => ({
  path,
  message: 'This attribute must be unique',
  rule: 'unique',
});

/** Code has chosen the id of an entry that is there, or was. */
export const usedId = (id: number): Issue => ({
  path: ['id'],
  message: `the id ${id} is that of another entry, or was: no id is used twice`,
  rule: 'unique',
});

/** Whether there is an entry with the id of a new one: an import, or another program, has stored it. */
export function isTakenId(error: unknown, id: number): boolean {
  const duplicate = duplicateOf(error);
  return duplicate?.path === '_id' && duplicate.value === id;
}

/** The attribute that a unique index is for. A document has each locale once: its other localizations have it. */
export const attributeOf = ({ path }: Duplicate): string => (path === DOCUMENT_ID ? 'localizations' : path);

/** Whether a write was refused because another entry has the value of this attribute. */
export const isTaken = (error: unknown, attribute: string): boolean =>
  hasCode(error, 'validation') &&
  error.issues.some(({ path, rule }) => path.join('.') === attribute && rule === 'unique');

/** A written unique value. */
interface UniqueValue {
  readonly path: readonly string[];
  readonly field: ScalarAttribute;
  readonly value: unknown;
  /** The uid of the component that has it. */
  readonly component: string | undefined;
}

/**
 * The unique values that other entries have, also in components, in the order of issues. For messages only: the
 * database enforces them.
 * @param id of the entry; undefined for a new one
 * @param isUnlocked leaves out entries that a transaction has locked
 */
export async function findTaken(
  context: DocumentsContext,
  type: ContentType,
  entry: EntryInput,
  id: number | undefined,
  isUnlocked = false,
): Promise<readonly Issue[]> {
  const values = uniqueValuesIn(entry).flatMap(({ path, field, value, component }) => {
    const operand = operandOf(field, value);
    if (operand === undefined) return [];
    return [{ path, field, operand, key: component && uniqueKey(component, field.name, operand) }];
  });
  if (values.length === 0) return [];
  const input = entry.get('locale');
  const written = input?.kind === 'scalar' && typeof input.value === 'string' ? input.value : undefined;
  const locale = !isLocalized(type) ? undefined : id === undefined ? written : await localeOf(context, type, id);
  const keys = values.flatMap(({ key }) => key ?? []);
  const takenKeys = await context.store.takenKeys(type, keys, { except: id, isUnlocked });
  const issues = await Promise.all(
    values.map(async ({ path, field, operand, key }) => {
      const isRepeated =
        key === undefined
          ? await isUsedByOther(context, type, filterOf(type, field, operand, id, locale), isUnlocked)
          : takenKeys.has(key);
      return isRepeated ? [taken(path)] : [];
    }),
  );
  return issues.flat().toSorted(orderOfIssues(type.attributes));
}

/**
 * Refuses values that another entry has and that must be unique; what an open transaction has written can be undone.
 * @throws AppError validation
 */
export async function assertNotTaken(
  context: DocumentsContext,
  type: ContentType,
  { input }: EncodedEntry,
  id: number,
): Promise<void> {
  const issues = await findTaken(context, type, input, id, true);
  if (issues.length > 0) throw new AppError('validation', issues);
}

async function isUsedByOther(
  { store }: DocumentsContext,
  type: ContentType,
  filter: Filter,
  isUnlocked: boolean,
): Promise<boolean> {
  if (!isUnlocked) return (await store.count(type, filter)) > 0;
  return (await store.find({ ...emptyQuery(type), filter }, { isUnlocked })).entries.length > 0;
}

/** The condition for other entries that have this value, or for those in its locale. */
function filterOf(
  type: ContentType,
  field: ScalarAttribute,
  value: ScalarValue,
  id: number | undefined,
  locale: string | undefined,
): Filter {
  const localeField = type.attributes.get('locale');
  const isPerLocale = locale !== undefined && localeField?.kind === 'scalar' && isUniquePerLocale(field, type);
  const filters: readonly Filter[] = [
    { kind: 'comparison', field, operator: '$eq', operands: [value] },
    { kind: 'comparison', field: idField, operator: '$ne', operands: [id ?? 0] },
    ...(isPerLocale ? [{ kind: 'comparison', field: localeField, operator: '$eq', operands: [locale] } as const] : []),
  ];
  return { kind: 'and', filters };
}

function uniqueValuesIn(entry: EntryInput, path: readonly string[] = [], component?: string): readonly UniqueValue[] {
  return [...entry].flatMap(([name, input]): readonly UniqueValue[] => {
    const here = [...path, name];
    if (input.kind === 'components') {
      return input.components.flatMap((inner) =>
        uniqueValuesIn(inner.values, pathOfComponent(here, input.attribute, inner), inner.component.uid),
      );
    }
    if (input.kind !== 'scalar' || !isUnique(input.attribute) || input.value === null) return [];
    return [{ path: here, field: input.attribute, value: input.value, component }];
  });
}

/** A written value in the form for comparisons; undefined for a value that no entry can have. */
function operandOf({ type }: ScalarAttribute, value: unknown): ScalarValue | undefined {
  try {
    return attributeTypes[type].operand(value);
  } catch (error) {
    if (hasCode(error, 'invalidValue')) return undefined;
    throw error;
  }
}

interface RefusedWrite {
  readonly encoded: EncodedEntry;
  readonly copy?: CopyUse | undefined;
  readonly chosenId?: number | undefined;
}

/**
 * The client's error of a refused write: it names all values that other entries have, though the database names one.
 */
export async function explainRefusal(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  { encoded, copy, chosenId }: RefusedWrite,
  error: unknown,
): Promise<unknown> {
  if (chosenId !== undefined && isTakenId(error, chosenId)) return new AppError('validation', [usedId(chosenId)]);
  const duplicate = duplicateOf(error);
  if (duplicate === undefined) return error;
  // What is published with the data was prepared before.
  const prepared = copy === 'merge' && id !== undefined ? await preparedData(context, type, id) : {};
  const input = new Map([
    ...parseEntry(castData(prepared, type.attributes), type.attributes, false).entry,
    ...encoded.input,
  ]);
  const all = await findTaken(context, type, input, id);
  if (all.length > 0) return new AppError('validation', all);
  const isIt = ({ field, value, component = '' }: UniqueValue): boolean =>
    uniqueKey(component, field.name, attributeTypes[field.type].encode(value, field.dialect)) === duplicate.value;
  const path = duplicate.path === '_unique.k' ? uniqueValuesIn(input).find(isIt)?.path : [attributeOf(duplicate)];
  return new AppError('validation', [taken(path ?? [])]);
}
