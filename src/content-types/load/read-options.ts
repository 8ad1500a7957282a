import { isRecord } from '../../config/record.js';
import { suggestion } from '../../errors/nearest-name.js';
import { record, type Schema } from '../model/settings-schema.js';
import type { Report } from './report.js';

/** The valid options, by name. */
export type Options<S> = { readonly [K in keyof S]?: S[K] extends Schema<infer T> ? T : never };

/**
 * Reads the options of a table of rules, and reports invalid values. Unknown options are ignored
 * (see `readDeclared` and `refuseOthers`), and null means not set, as in Strapi v4.
 */
export function readOptions<S extends Readonly<Record<string, Schema<unknown>>>>(
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

/** The valid options of an object; unknown and invalid ones are reported. */
export function readDeclared<S extends Readonly<Record<string, Schema<unknown>>>>(
  input: unknown,
  shapes: S,
  path: string,
  report: Report,
): Options<S> {
  if (!isRecord(input)) {
    report(path.replace(/\.$/, ''), mustBe(input, record));
    return {};
  }
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(shapes, name)) report(`${path}${name}`, `is unknown${suggestion(name, Object.keys(shapes))}`);
  }
  return readOptions(input, shapes, path, report);
}

/** The message about an invalid value; includes plain values. */
export function mustBe(value: unknown, { expected }: Schema<unknown>): string {
  return typeof value === 'object' ? `must be ${expected}` : `${JSON.stringify(value)} must be ${expected}`;
}

/** Reports options that are not supported. */
export function refuseOthers(
  input: Readonly<Record<string, unknown>>,
  supported: readonly string[],
  path: string,
  report: Report,
): void {
  for (const name of Object.keys(input)) {
    if (!supported.includes(name)) report(`${path}${name}`, `is not supported; allowed: ${supported.join(', ')}`);
  }
}
