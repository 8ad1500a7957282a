/**
 * Focuses the field of a path, or the nearest one around it.
 * @param idOf the id of the field of a path
 */
export function focusField(path: string, idOf: (path: string) => string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const field = document.getElementById(idOf(parts.slice(0, length).join('.')));
    if (field === null) continue;
    const section = field.closest('details');
    // It may be in a section that the user has closed.
    if (section !== null) section.open = true;
    focusInside(field);
    field.scrollIntoView({ block: 'center' });
    return;
  }
}

/** Focuses a field; of one that has parts, as a date has, the first. */
export function focusInside(field: HTMLElement | null): void {
  field?.focus();
  if (field !== document.activeElement) field?.querySelector<HTMLElement>('[role=spinbutton]')?.focus();
}

const fields = ':enabled:is(input:not([role]), textarea, .choice > button), [role=spinbutton][contenteditable=true]';

/** Where a new entry begins, in the form in front. A search would open its list, so it is passed over. */
export const focusFirstField = (): void =>
  frontOf(document).querySelector<HTMLElement>(`.fields :is(${fields})`)?.focus();

/** The dialog in front, or else the page: nothing behind a modal dialog can be used. */
const frontOf = (page: Document): HTMLElement => [...page.querySelectorAll<HTMLElement>('.dialog')].at(-1) ?? page.body;
