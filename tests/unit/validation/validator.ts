import { AppError } from '../../../src/errors/app-error.js';
import type { Mode } from '../../../src/validation/schema.js';
import { createValidator } from '../../../src/validation/validate.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

/** What is wrong with data, as `[path, message]`; nothing when it is valid. */
export type Wrong = readonly (readonly [string, string])[];

const corpus = loadCorpus().then((registry) => ({ registry, validator: createValidator(registry) }));

/** The data as the validator hands it on. */
export async function validated(mode: Mode, name: string, data: unknown): Promise<unknown> {
  const { registry, validator } = await corpus;
  return validator.validate(typeOf(registry, name), mode, data);
}

export async function wrongIn(mode: Mode, name: string, data: unknown): Promise<Wrong> {
  try {
    await validated(mode, name, data);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (error.details?.errors ?? []).map(({ path, message }) => [path.join('.'), message]);
  }
}
