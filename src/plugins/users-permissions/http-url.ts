import type { Shape } from '../../content-types/model/settings-schema.js';

/** The address of a page. */
export const httpUrl: Shape<string> = {
  takes: 'an address that begins with http:// or https://',
  fits: (value: unknown): value is string =>
    typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
};
