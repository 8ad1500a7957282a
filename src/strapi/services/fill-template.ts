import lodash from 'lodash';
import type { Named } from '../strapi.js';
import { stringUtilities } from '../utilities/strings.js';

/** A template with `<%= user.name %>` replaced by the data; names that the data does not have stay. */
export function fillTemplate(template: string, data: Named): string {
  const names = new Set(stringUtilities.keysDeep(data));
  return template.replaceAll(/<%=\s*([^\s%]+)\s*%>/g, (placeholder, name: string) =>
    names.has(name) ? String(lodash.get(data, name)) : placeholder,
  );
}
