import { AppError } from '../../errors/app-error.js';
import type { Attributes, ScalarType } from '../../content-types/model/types.js';
import { id, isScalar, type Filter } from '../ast.js';
import { isNothing } from './input.js';
import { isReadable, type Audience } from '../visibility.js';

const texts = new Set<ScalarType>(['string', 'text', 'richtext', 'uid', 'email', 'enumeration']);
const numbers = new Set<ScalarType>(['integer', 'biginteger', 'decimal', 'float']);

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
    .filter(({ type, searchable }) => searchable && (texts.has(type) || (isNumber && numbers.has(type))))
    .filter((attribute) => isReadable(attribute, audience));
  return { kind: 'search', text: input, fields: isNumber ? [id, ...fields] : fields };
}
