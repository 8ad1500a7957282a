import { isRecord, type Data } from '../../../../config/record.js';
import { SERVED_AT } from '../../../../plugins/upload/images/prepare-file.js';
import type { Scan } from '../scan.js';
import type { Uploads } from './open-uploads.js';

/** Adapts an entry of one of Strapi's own types to this service. */
type Adapt = (data: Data, id: number, context: AdaptContext) => Data;

export interface AdaptContext extends Pick<Scan, 'settings' | 'tokenActions'> {
  readonly uploads: Omit<Uploads, 'store'>;
}

const adapts: Readonly<Record<string, Adapt>> = {
  'plugin::i18n.locale': (data, _, { settings }) => ({
    ...data,
    isDefault: data['code'] === settings.get('plugin_i18n_default_locale'),
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
    const { formats } = data;
    const sizes = isRecord(formats) ? Object.entries(formats) : [];
    const served = sizes.map(([name, size]) => [name, isRecord(size) ? servedHere(size, address) : size] as const);
    return {
      ...servedHere(data, address),
      provider,
      provider_metadata: null,
      formats: isRecord(formats) ? Object.fromEntries(served) : null,
    };
  },
};

const servedHere = (file: Data, address: string): Data => ({
  ...file,
  url: `${address}${String(file['hash'])}${String(file['ext'] ?? '')}`,
});

/** An entry as this service keeps it. */
export const adaptEntry = (type: string, id: number, data: Data, context: AdaptContext): Data =>
  adapts[type]?.(data, id, context) ?? data;
