import { isRecord } from '../../../content-types/model/settings-schema.js';

/** Strapi's settings of users that mean something else than the defaults here, and how to set them here. */
const advanced: Readonly<Record<string, { readonly usual: unknown; readonly here: string }>> = {
  allow_register: { usual: true, here: 'allowRegister' },
  unique_email: { usual: true, here: 'uniqueEmail' },
  email_confirmation: { usual: false, here: 'emailConfirmation' },
  email_reset_password: { usual: null, here: 'resetPasswordUrl' },
  email_confirmation_redirection: { usual: null, here: 'emailConfirmationRedirection' },
  default_role: { usual: 'authenticated', here: 'defaultRole' },
};

/** Settings that were made in Strapi's admin panel and are declared in the plugins file here: a line for each. */
export function describeSettings(settings: ReadonlyMap<string, unknown>): readonly string[] {
  const users = settings.get('plugin_users-permissions_advanced');
  if (!isRecord(users)) return [];
  const lines = Object.entries(advanced).flatMap(([name, { usual, here }]) => {
    const value = users[name] ?? usual;
    return value === usual ? [] : [`  users-permissions: ${here} was ${JSON.stringify(value)}`];
  });
  return lines.length === 0 ? [] : ['Settings to declare in config/plugins:', ...lines];
}
