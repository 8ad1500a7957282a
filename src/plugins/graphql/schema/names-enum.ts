import type { Component, ContentType, ScalarAttribute } from '../../../content-types/types.js';

/** Does an attribute say what its enum is called? Then the names may clash. */
export const namesEnum = ({ attributes }: ContentType | Component): boolean =>
  [...attributes.values()].some((attribute) => (attribute as Partial<ScalarAttribute>).enumName !== undefined);
