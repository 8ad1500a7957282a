import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import { dataOf, type EntryInput } from '../input/entry-input.js';
import { hashPasswords } from '../input/hash-passwords.js';
import { parseAs, parseForCreate, parseForUpdate, type Validation } from '../input/parse-data.js';
import { permittedData } from '../input/permitted-data.js';
import { inputsOf } from './encode/encode-value.js';

/**
 * Checked and cast data: of a new entry, or of a change of the one with an id, with defaults and hashed passwords, as writes with `raw` take
 * it; or data that the service does not write, with passwords as they are.
 * @throws AppError notFound, validation, invalidValue, missingRelations
 */
export async function validateData(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  validation: { readonly id: number | undefined } | Validation,
): Promise<Data> {
  const permitted = permittedData(data, type, system);
  if ('isNew' in validation)
    return dataOf(withDefaults(await parseAs(context, type, permitted, validation), type, validation.isNew));
  const { id } = validation;
  const entry = await (id === undefined
    ? parseForCreate(context, type, permitted)
    : parseForUpdate(context, type, id, permitted));
  return dataOf(await hashPasswords(withDefaults(entry, type, id === undefined), context.passwords));
}

const withDefaults = (entry: EntryInput, { attributes }: ContentType, isNew: boolean): EntryInput =>
  new Map(inputsOf(entry, attributes, isNew).map((input) => [input.attribute.name, input]));
