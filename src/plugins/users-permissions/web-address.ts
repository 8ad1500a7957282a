import type { Shape } from '../../content-types/shapes.js';

/** The address of a page. */
export const webAddress: Shape<string> = {
  takes: 'an address that begins with http:// or https://',
  fits: (value: unknown): value is string =>
    typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
};
