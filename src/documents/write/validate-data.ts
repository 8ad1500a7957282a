import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import { dataOf } from '../input/entry-input.js';
import { hashPasswords } from '../input/hash-passwords.js';
import { parseAs, parseForCreate, parseForUpdate, type Validation } from '../input/parse-data.js';
import { permittedData } from '../input/permitted-data.js';
import { inputsOf } from './encode/encode-value.js';

/**
 * The data of a create or update, validated and cast, with defaults and hashed passwords.
 * @throws AppError notFound, validation, invalidValue, missingRelations
 */
export async function validateData(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  data: unknown,
): Promise<Data> {
  const permitted = permittedData(data, type, system);
  const entry = await (id === undefined
    ? parseForCreate(context, type, permitted)
    : parseForUpdate(context, type, id, permitted));
  const inputs = inputsOf(entry, type.attributes, id === undefined);
  const complete = new Map(inputs.map((input) => [input.attribute.name, input]));
  return dataOf(await hashPasswords(complete, context.passwords));
}

/**
 * Data that is not written by the service, validated and cast, with the defaults of a new entry, and with passwords as they are.
 * @throws AppError validation, invalidValue
 */
export async function checkData(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  validation: Validation,
): Promise<Data> {
  const entry = await parseAs(context, type, permittedData(data, type, system), validation);
  const inputs = inputsOf(entry, type.attributes, validation.isNew);
  return dataOf(new Map(inputs.map((input) => [input.attribute.name, input])));
}
