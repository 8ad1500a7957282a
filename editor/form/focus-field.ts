/** Focuses the field of a path, or the nearest one around it. */
export function focusField(path: string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const field = document.querySelector<HTMLElement>(`[id="field-${parts.slice(0, length).join('.')}"]`);
    if (field === null) continue;
    field.focus();
    field.scrollIntoView({ block: 'center' });
    return;
  }
}

/** Where a new entry begins. A search would open its list, so it is passed over. */
export const focusFirstField = (): void =>
  document.querySelector<HTMLElement>('.fields :enabled:is(input:not([role]), select, textarea)')?.focus();
