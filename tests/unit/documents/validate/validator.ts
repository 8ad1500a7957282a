import type { Issue } from '../../../../src/errors/codes.js';
import type { Scope } from '../../../../src/documents/input/validate/schema.js';
import { castData } from '../../../../src/documents/input/parse-entry.js';
import { createValidator } from '../../../../src/documents/input/validate/validate.js';
import { loadCorpus, typeOf } from '../../../support/golden.js';

/** The errors of data as `[path, message]`; empty if it is valid. */
export type Wrong = readonly (readonly [string, string])[];

type Data = Readonly<Record<string, unknown>>;

const modes = {
  create: { isNew: true, isDraft: false },
  update: { isNew: false, isDraft: false },
  draft: { isNew: true, isDraft: true },
} satisfies Record<string, Scope>;
type Mode = keyof typeof modes;

const corpus = loadCorpus().then((registry) => ({ registry, validator: createValidator(registry) }));

/** Checks data of the content type with this name. */
async function check(
  mode: Mode,
  name: string,
  data: Data,
): Promise<{ readonly data: Data; readonly issues: readonly Issue[] }> {
  const { registry, validator } = await corpus;
  const type = typeOf(registry, name);
  const cast = castData(data, type.attributes);
  return { data: cast, issues: validator.check(type, modes[mode], cast) };
}

/** Valid data as the validator hands it on. */
export async function validated(mode: Mode, name: string, data: Data): Promise<Data> {
  const checked = await check(mode, name, data);
  if (checked.issues.length > 0) throw new Error(`It is not valid: ${JSON.stringify(checked.issues)}`);
  return checked.data;
}

export async function wrongIn(mode: Mode, name: string, data: Data): Promise<Wrong> {
  const { issues } = await check(mode, name, data);
  return issues.map(({ path, message }) => [path.join('.'), message]);
}
