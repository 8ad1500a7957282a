import { AppError } from '../../errors/app-error.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { Attributes } from '../../content-types/model/types.js';
import { id, isScalar, type Filter } from '../ast.js';
import { isNothing } from './input.js';
import { isReadable, type Audience } from '../visibility.js';

/**
 * Parses `_q` as Strapi v4 does: searches all searchable strings and the id, and numbers if the term is a number. Attributes
 * that the audience cannot read are never searched.
 * @throws AppError invalidParameter if it is not a string
 */
export function parseSearch(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isNothing(input)) return undefined;
  if (typeof input !== 'string') throw new AppError('invalidParameter', '_q');
  const isNumber = !Number.isNaN(Number(input));
  const fields = [...attributes.values()]
    .filter(isScalar)
    .filter(({ type, searchable }) => searchable && (isNumber || attributeTypes[type].kind !== 'number'))
    .filter((attribute) => isReadable(attribute, audience));
  return { kind: 'search', text: input, fields: isNumber ? [id, ...fields] : fields };
}
