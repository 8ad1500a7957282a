import { DEFAULT_LOCALE } from '../source.js';
import lodash from 'lodash';
import { isRecord, type Data } from '../../../../config/record.js';
import { SERVED_AT } from '../../../../plugins/upload/images/prepare-file.js';
import type { Scan } from '../scan.js';
import type { Uploads } from './open-uploads.js';

/** Adapts an entry of one of Strapi's own types to this service. */
type Adapt = (data: Data, id: number, context: AdaptContext) => Data;

interface AdaptContext extends Pick<Scan, 'settings' | 'tokenActions'> {
  readonly uploads: Omit<Uploads, 'store'>;
}

const adapts: Readonly<Record<string, Adapt>> = {
  'plugin::i18n.locale': (data, _, { settings }) => ({
    ...data,
    isDefault: data['code'] === settings.get(DEFAULT_LOCALE),
  }),
  'plugin::users-permissions.user': ({ email, ...data }) => ({
    ...data,
    email: typeof email === 'string' ? email.toLowerCase() : email,
    // Mailed codes have another stored form here, and expire soon anyway.
    resetPasswordToken: null,
    confirmationToken: null,
  }),
  'admin::api-token': (data, id, { tokenActions }) => ({ ...data, permissions: tokenActions.get(id) ?? [] }),
  // The bytes are in the archive, wherever they were, and are served by this service.
  'plugin::upload.file': (data, _, { uploads: { provider, remote, address = `${SERVED_AT}/` } }) => {
    if (data['provider'] === provider || data['provider'] === remote) return data;
    return servedAt(address, provider, data);
  },
};

/** The name under which the bytes of a file, or of one of its sizes, are stored. */
export const fileNameOf = ({ hash, ext }: Data): string => `${String(hash)}${String(ext ?? '')}`;

/** A file of the media library whose bytes, and those of its sizes, a provider serves. */
export function servedAt(address: string, provider: string, file: Data): Data {
  const serve = (one: Data): Data => ({ ...one, url: address + fileNameOf(one) });
  const { formats } = file;
  const served = isRecord(formats) ? lodash.mapValues(formats, (size) => (isRecord(size) ? serve(size) : size)) : null;
  return { ...serve(file), provider, provider_metadata: null, formats: served };
}

/** An entry as this service keeps it. */
export const adaptEntry = (type: string, id: number, data: Data, context: AdaptContext): Data =>
  adapts[type]?.(data, id, context) ?? data;
