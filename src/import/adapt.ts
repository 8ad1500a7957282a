import type { Survey } from './survey.js';

type Data = Readonly<Record<string, unknown>>;

/** Changes an entry of one of Strapi's own types into what this service keeps of it. */
type Adapt = (data: Data, id: number, survey: Pick<Survey, 'settings' | 'tokenActions'>) => Data;

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
  // The bytes of files that were elsewhere are in the archive.
  'plugin::upload.file': (data) => {
    const { provider, formats } = data;
    if (provider === 'local') return data;
    const local = Object.entries((formats ?? {}) as Readonly<Record<string, Data>>).map(
      ([name, format]) => [name, servedHere(format)] as const,
    );
    return {
      ...servedHere(data),
      provider: 'local',
      provider_metadata: null,
      formats: formats === null ? null : Object.fromEntries(local),
    };
  },
};

const servedHere = (file: Data): Data => ({
  ...file,
  url: `/uploads/${String(file['hash'])}${String(file['ext'] ?? '')}`,
});

/** An entry as this service keeps it. */
export const adaptEntry = (
  type: string,
  id: number,
  data: Data,
  survey: Pick<Survey, 'settings' | 'tokenActions'>,
): Data => adapts[type]?.(data, id, survey) ?? data;
