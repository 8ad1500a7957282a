import type { Report } from './report.js';
import type { Shape } from '../model/settings-schema.js';

/** Options by their names, those that were given and fit. */
export type Options<S> = { readonly [K in keyof S]?: S[K] extends Shape<infer T> ? T : never };

/**
 * Reads the options that have a shape, and reports those that do not fit. Unknown options are let through unread, and
 * null counts as not given: Strapi v4 does both.
 */
export function readOptions<S extends Readonly<Record<string, Shape<unknown>>>>(
  input: Readonly<Record<string, unknown>>,
  shapes: S,
  path: string,
  report: Report,
): Options<S> {
  const options: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || value === null) continue;
    if (shape.test(value)) options[name] = value;
    else report(`${path}${name}`, mustBe(value, shape));
  }
  return options as Options<S>;
}

/** Says that a value does not fit; plain values are shown. */
export function mustBe(value: unknown, { expected }: Shape<unknown>): string {
  return typeof value === 'object' ? `must be ${expected}` : `${JSON.stringify(value)} must be ${expected}`;
}
