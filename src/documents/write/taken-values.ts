import { attributeTypes, type ScalarValue } from '../../content-types/model/attribute-types.js';
import { isLocalized, isShared } from '../../content-types/model/localized.js';
import type { ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { isUnique } from '../../content-types/model/unique.js';
import { type Filter, id as idField } from '../../query/ast.js';
import { uniqueKey } from '../../query/mutation.js';
import type { DocumentsContext } from '../context.js';
import { type EntryInput, pathOfComponent } from '../input/entry-input.js';
import { localeOf } from '../read.js';
import type { Duplicate } from '../../mongo/errors.js';
import type { EncodedEntry } from './encode/encode-entry.js';

const TAKEN = 'This attribute must be unique';

export const taken = (path: readonly string[]): Issue => ({ path, message: TAKEN });

/** Whether a write was refused because another entry has the value of this attribute. */
export const isTaken = (error: unknown, attribute: string): boolean =>
  hasCode(error, 'validation') &&
  error.details?.errors?.some(({ path, message }) => path.join('.') === attribute && message === TAKEN) === true;

/** A written unique value: of an attribute, or of a component with its unique key. */
type UniqueValue = { readonly path: readonly string[] } & (
  { readonly field: ScalarAttribute; readonly value: ScalarValue } | { readonly key: string }
);

/**
 * The unique values that other entries have, also in components, in the order of the definition. For messages only: the
 * database enforces them.
 * @param id of the entry; undefined for a new one
 */
export async function findTaken(
  context: DocumentsContext,
  type: ContentType,
  entry: EntryInput,
  id: number | undefined,
): Promise<readonly Issue[]> {
  const values = uniqueValuesIn(entry);
  if (values.length === 0) return [];
  const locale = isLocalized(type) ? await localeOfWritten(context, type, entry, id) : undefined;
  const keys = values.flatMap((value) => ('key' in value ? [value.key] : []));
  const takenKeys = await context.store.takenKeys(type, keys, id);
  const issues = await Promise.all(
    values.map(async (uniqueValue) => {
      const isRepeated =
        'key' in uniqueValue ? takenKeys.has(uniqueValue.key) : await isHeld(context, type, uniqueValue, id, locale);
      return isRepeated ? [taken(uniqueValue.path)] : [];
    }),
  );
  return issues.flat();
}

/** Whether another entry has this value. A value shared by localizations must be unique within its locale only. */
async function isHeld(
  { store }: DocumentsContext,
  type: ContentType,
  { field, value }: Extract<UniqueValue, { field: ScalarAttribute }>,
  id: number | undefined,
  locale: string | undefined,
): Promise<boolean> {
  const localeField = type.attributes.get('locale');
  const isPerLocale = locale !== undefined && localeField?.kind === 'scalar' && isShared(field);
  const filters: readonly Filter[] = [
    { kind: 'comparison', field, operator: '$eq', operands: [value] },
    { kind: 'comparison', field: idField, operator: '$ne', operands: [id ?? 0] },
    ...(isPerLocale ? [{ kind: 'comparison', field: localeField, operator: '$eq', operands: [locale] } as const] : []),
  ];
  return (await store.count(type, { kind: 'and', filters })) > 0;
}

function uniqueValuesIn(entry: EntryInput, path: readonly string[] = [], component?: string): readonly UniqueValue[] {
  return [...entry].flatMap(([name, input]): readonly UniqueValue[] => {
    const here = [...path, name];
    if (input.kind === 'components') {
      return input.components.flatMap((inner) =>
        uniqueValuesIn(inner.values, pathOfComponent(here, input.attribute, inner), inner.component.uid),
      );
    }
    if (input.kind !== 'scalar' || !isUnique(input.attribute)) return [];
    const { attribute } = input;
    const operand = operandOf(attribute, input.value);
    if (operand === undefined) return [];
    if (component === undefined) return [{ path: here, field: attribute, value: operand }];
    return [{ path: here, key: uniqueKey(component, name, operand) }];
  });
}

/** The locale of the written entry; for a new one it is in the data. @throws AppError notFound */
async function localeOfWritten(
  context: DocumentsContext,
  type: ContentType,
  entry: EntryInput,
  id: number | undefined,
): Promise<string | undefined> {
  if (id !== undefined) return localeOf(context, type, id);
  const locale = entry.get('locale');
  return locale?.kind === 'scalar' && typeof locale.value === 'string' ? locale.value : undefined;
}

/** A written value in the form for comparisons; undefined for a value that no entry can have. */
function operandOf({ type }: ScalarAttribute, value: unknown): ScalarValue | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return attributeTypes[type].operand(value);
  } catch (error) {
    if (hasCode(error, 'invalidValue')) return undefined;
    throw error;
  }
}

/** The error for values that other entries have: it names all of them, though the database names one. */
export async function explainDuplicate(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  { input, uniquePaths }: EncodedEntry,
  duplicate: Duplicate,
): Promise<AppError> {
  const all = await findTaken(context, type, input, id);
  if (all.length > 0) return new AppError('validation', all);
  const path = duplicate.path === '_unique.k' ? uniquePaths.get(String(duplicate.value)) : [duplicate.path];
  return new AppError('validation', [taken(path ?? [])]);
}
