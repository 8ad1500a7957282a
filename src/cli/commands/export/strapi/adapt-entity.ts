import { isRecord, type Data } from '../../../../config/record.js';
import type { Entity } from './entity-of.js';

/** Adapts entries of Strapi's own types, where it stores them in another form. The reverse of `adaptEntry` of an import. */
const adapts: Readonly<Record<string, (data: Data, hasBytes: boolean) => Data>> = {
  // Codes that were mailed have another stored form in Strapi.
  'plugin::users-permissions.user': (data) => ({ ...data, resetPasswordToken: null, confirmationToken: null }),
  // Strapi stores the bytes of the archive with its own provider, and completes the addresses.
  'plugin::upload.file': (data, hasBytes) => {
    // Files of other providers stay where they are.
    if (!hasBytes) return data;
    const { formats } = data;
    return {
      ...data,
      ...servedByStrapi(data),
      provider: 'local',
      provider_metadata: null,
      formats: isRecord(formats)
        ? Object.fromEntries(
            Object.entries(formats).map(([name, size]) => [
              name,
              isRecord(size) ? { ...size, ...servedByStrapi(size) } : size,
            ]),
          )
        : null,
    };
  },
};

const servedByStrapi = (file: Data): Data => ({ url: `/uploads/${fileNameOf(file)}` });

/** The name under which the bytes of a file, or of one of its sizes, are stored. */
export const fileNameOf = ({ hash, ext }: Data): string => `${String(hash)}${String(ext ?? '')}`;

/** @param hasBytes whether the bytes of a file are in the archive */
export const adaptEntity = (entity: Entity, hasBytes: boolean): Entity => {
  const adapt = adapts[entity.type];
  return adapt === undefined ? entity : { ...entity, data: adapt(entity.data, hasBytes) };
};

/** The files of an entry of the media library, with what Strapi keeps about each in the archive. */
export function assetsOf({ id, data }: Entity): readonly { readonly name: string; readonly metadata: Data }[] {
  const sizes = isRecord(data['formats']) ? Object.entries(data['formats']) : [];
  const main = { name: fileNameOf(data), metadata: { id, ...data } };
  const others = sizes.flatMap(([type, size]) =>
    isRecord(size) ? [{ name: fileNameOf(size), metadata: { ...size, type, id, mainHash: data['hash'] } }] : [],
  );
  return [main, ...others];
}
