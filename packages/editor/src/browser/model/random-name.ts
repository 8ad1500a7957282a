/** A name that nothing else in the browsers of a user has. Browsers have `randomUUID` on encrypted pages only. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36).padStart(7, '0')).join('-');
