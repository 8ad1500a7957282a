import { frontOf } from '../shell/front-of.js';

/**
 * Focuses the field of a path, or the nearest one around it.
 * @param idOf the id of the field of a path
 */
export function focusField(path: string, idOf: (path: string) => string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const field = document.getElementById(idOf(parts.slice(0, length).join('.')));
    if (field === null) continue;
    field.focus();
    field.scrollIntoView({ block: 'center' });
    return;
  }
}

/** Where a new entry begins, in the form in front. A search would open its list, so it is passed over. */
export const focusFirstField = (): void =>
  frontOf(document).querySelector<HTMLElement>('.fields :enabled:is(input:not([role]), select, textarea)')?.focus();
