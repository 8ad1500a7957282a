import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../caller.js';
import type { Data, DocumentsContext } from '../context.js';
import { permittedData } from '../input/permitted-data.js';
import { validForCreate, validForUpdate } from '../input/valid-data.js';
import { hashPasswords } from './passwords.js';

/**
 * The data of a new entry, or of a change, checked and cast, with defaults and hashed passwords.
 * @throws AppError notFound, validation, invalidValue, missingRelations
 */
export async function validateData(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  data: unknown,
): Promise<Data> {
  const permitted = permittedData(data, type, system);
  const valid = await (id === undefined
    ? validForCreate(context, type, permitted)
    : validForUpdate(context, type, id, permitted));
  const complete = id === undefined ? { ...defaultsOf(type), ...valid } : valid;
  return hashPasswords(complete, type.attributes, context.passwords);
}

function defaultsOf({ attributes }: ContentType): Data {
  return Object.fromEntries(
    [...attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.default !== undefined ? [[attribute.name, attribute.default]] : [],
    ),
  );
}
