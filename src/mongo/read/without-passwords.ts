import type { Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';

/** Everything that is stored of an entry but its passwords. */
export const withoutPasswords = (attributes: ContentType['attributes']): Document =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.type === 'password' ? [[attribute.name, 0]] : [],
    ),
  );
