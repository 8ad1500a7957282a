/** The dialog in front, or else the page: nothing behind a modal dialog can be used. */
export const frontOf = (page: Document): HTMLElement =>
  [...page.querySelectorAll<HTMLElement>('.dialog')].at(-1) ?? page.body;
