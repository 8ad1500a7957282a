import type { ScalarAttribute } from '../../content-types/model/types.js';

/** A field that entries store beside their attributes, for the service's own conditions. */
export const internalField = (name: string, type: ScalarAttribute['type']): ScalarAttribute =>
  ({ kind: 'scalar', name, type, unique: false, searchable: false }) as ScalarAttribute;
