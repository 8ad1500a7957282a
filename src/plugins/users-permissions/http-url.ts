import type { Schema } from '../../content-types/model/settings-schema.js';

/** The URL of a page. */
export const httpUrl: Schema<string> = {
  expected: 'a URL that begins with http:// or https://',
  test: (value: unknown): value is string =>
    typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
};
