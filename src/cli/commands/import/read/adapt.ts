import { isRecord } from '../../../../content-types/model/settings-schema.js';
import type { Scan } from '../scan.js';

type Data = Readonly<Record<string, unknown>>;

/** Changes an entry of one of Strapi's own types into what this service keeps of it. */
type Adapt = (data: Data, id: number, context: AdaptContext) => Data;

export interface AdaptContext extends Pick<Scan, 'settings' | 'tokenActions'> {
  /** Where files are kept here. */
  readonly provider: string;
}

const adapts: Readonly<Record<string, Adapt>> = {
  'plugin::i18n.locale': (data, _, { settings }) => ({
    ...data,
    isDefault: data['code'] === settings.get('plugin_i18n_default_locale'),
  }),
  'plugin::users-permissions.user': ({ email, ...data }) => ({
    ...data,
    email: typeof email === 'string' ? email.toLowerCase() : email,
    // Codes that were mailed are kept in another form here, and expire soon anyway.
    resetPasswordToken: null,
    confirmationToken: null,
  }),
  'admin::api-token': (data, id, { tokenActions }) => ({ ...data, permissions: tokenActions.get(id) ?? [] }),
  // Wherever the bytes were: they are in the archive, and are served from here.
  'plugin::upload.file': (data, _, { provider }) => {
    if (data['provider'] === provider) return data;
    const { formats } = data;
    const sizes = isRecord(formats) ? Object.entries(formats) : [];
    const served = sizes.map(([name, size]) => [name, isRecord(size) ? servedHere(size) : size] as const);
    return {
      ...servedHere(data),
      provider,
      provider_metadata: null,
      formats: isRecord(formats) ? Object.fromEntries(served) : null,
    };
  },
};

const servedHere = (file: Data): Data => ({
  ...file,
  url: `/uploads/${String(file['hash'])}${String(file['ext'] ?? '')}`,
});

/** An entry as this service keeps it. */
export const adaptEntry = (type: string, id: number, data: Data, context: AdaptContext): Data =>
  adapts[type]?.(data, id, context) ?? data;
