import { attributeTypes } from '../content-types/attribute-types.js';
import type { ContentType } from '../content-types/types.js';
import type { Issue } from '../errors/codes.js';
import { isUnique } from '../mongo/indexes.js';
import { id as idField, type Filter } from '../query/ast.js';
import type { Data, DocumentsContext } from './context.js';

export const taken = (path: readonly string[]): Issue => ({ path, message: 'This attribute must be unique' });

/** Which unique values of the data another entry has. Only to tell: what enforces it is the database. */
export async function findTaken(
  { store }: DocumentsContext,
  type: ContentType,
  data: Data,
  id: number | undefined,
): Promise<readonly Issue[]> {
  const asked = [...type.attributes.values()].flatMap((field) => {
    const value = data[field.name];
    if (field.kind !== 'scalar' || !isUnique(field) || value === undefined || value === null) return [];
    const operand = attributeTypes[field.type].operand(value);
    return operand === undefined ? [] : [{ field, operand }];
  });
  const found = await Promise.all(
    asked.map(async ({ field, operand }) => {
      const same: Filter = { kind: 'comparison', field, operator: '$eq', operands: [operand] };
      const other: Filter = { kind: 'comparison', field: idField, operator: '$ne', operands: [id ?? 0] };
      return (await store.count(type, { kind: 'and', filters: [same, other] })) > 0 ? [taken([field.name])] : [];
    }),
  );
  return found.flat();
}
