import type { ScalarAttribute } from '../../content-types/model/types.js';
import { COPIED } from '../../mongo/stored/working-copy.js';
import { draft, type Filter } from '../../query/ast.js';

/** A field that entries store beside their attributes, for the service's own conditions. */
export const internalField = (name: string, type: ScalarAttribute['type']): ScalarAttribute =>
  ({ kind: 'scalar', name, type, unique: false, searchable: false }) as ScalarAttribute;

/** There is something to publish: the entry is a draft, or has a working copy. */
export const isPrepared: Filter = {
  kind: 'or',
  filters: [draft, { kind: 'comparison', field: internalField(COPIED, 'integer'), operator: '$eq', operands: [1] }],
};
