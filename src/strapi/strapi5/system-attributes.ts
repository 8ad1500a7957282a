import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Named } from '../strapi.js';

const dateTime = { type: 'datetime' };
const hidden = { configurable: false, visible: false };

/**
 * The attributes that every content type has to code of Strapi 5: types without locales have private ones for them
 * (recorded: code/16-db-query).
 */
export function systemAttributesOfStrapi5(type: ContentType, people: Named<Named>): Named<Named> {
  const isPrivate = !isLocalized(type);
  return {
    createdAt: { ...dateTime },
    updatedAt: { ...dateTime },
    publishedAt: { ...dateTime, ...hidden, writable: true },
    ...people,
    locale: { type: 'string', ...hidden, writable: true, private: isPrivate },
    localizations: {
      type: 'relation',
      relation: 'oneToMany',
      target: type.uid,
      ...hidden,
      writable: false,
      private: isPrivate,
      unstable_virtual: true,
    },
  };
}
