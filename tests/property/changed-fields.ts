import type { Attribute, ScalarAttribute } from '../../src/content-types/model/types.js';

/** Another value, which is nowhere else. */
export const otherValues: Partial<Record<ScalarAttribute['type'], unknown>> = {
  string: 'changed',
  text: 'changed',
  richtext: 'changed',
  integer: 4242,
  boolean: true,
};

/** Whether no other attribute of an entry shows the value of this one. */
export const isRemovable = (attribute: Attribute): boolean =>
  attribute.kind === 'component' ||
  attribute.kind === 'zone' ||
  attribute.kind === 'morph' ||
  (attribute.kind === 'relation' && attribute.side === 'owner' && attribute.inverse === undefined);
