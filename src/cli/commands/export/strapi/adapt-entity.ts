import { isRecord, type Data } from '../../../../config/record.js';
import { fileNameOf, servedAt } from '../../import/read/adapt.js';
import type { Entity } from './entity-of.js';

/** Adapts entries of Strapi's own types, where it stores them in another form. The reverse of `adaptEntry` of an import. */
const adapts: Readonly<Record<string, (data: Data, hasBytes: boolean) => Data>> = {
  // Codes that were mailed have another stored form in Strapi.
  'plugin::users-permissions.user': (data) => ({ ...data, resetPasswordToken: null, confirmationToken: null }),
  // Strapi stores the bytes of the archive with its own provider, and completes the addresses. Files of other providers stay where they are.
  'plugin::upload.file': (data, hasBytes) => (hasBytes ? servedAt('/uploads/', 'local', data) : data),
};

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
