import type { ContentType } from './types.js';

/**
 * How people call an entry of a content type, and all of them: `Article` and `Articles`. A display name can say either;
 * the names in the API tell which, and the other one. A single type has one name.
 */
export const namesOfEntries = ({
  kind,
  displayName,
  singularName,
  pluralName,
}: Pick<ContentType, 'kind' | 'displayName' | 'singularName' | 'pluralName'>) =>
  kind === 'singleType'
    ? { entryName: displayName, listName: displayName }
    : {
        entryName: inflected(displayName, pluralName, singularName),
        listName: inflected(displayName, singularName, pluralName),
      };

/**
 * `Blog Category` becomes `Blog Categories` by `blog-category` and `blog-categories`; a name that differs from the
 * former stays.
 */
function inflected(displayName: string, from: string, to: string): string {
  if (displayName.toLowerCase().replaceAll(' ', '-') !== from) return displayName;
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared += 1;
  return displayName.slice(0, shared) + to.slice(shared).replaceAll('-', ' ');
}
