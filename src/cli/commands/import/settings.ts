import { isRecord } from '../../../content-types/model/settings-schema.js';

/** Strapi's settings of users that mean something else than the defaults here, and how to set them here. */
const advanced: Readonly<Record<string, { readonly defaultValue: unknown; readonly setting: string }>> = {
  allow_register: { defaultValue: true, setting: 'allowRegister' },
  unique_email: { defaultValue: true, setting: 'uniqueEmail' },
  email_confirmation: { defaultValue: false, setting: 'emailConfirmation' },
  email_reset_password: { defaultValue: null, setting: 'resetPasswordUrl' },
  email_confirmation_redirection: { defaultValue: null, setting: 'emailConfirmationRedirection' },
  default_role: { defaultValue: 'authenticated', setting: 'defaultRole' },
};

/** Settings that were made in Strapi's admin panel and are declared in the plugins file here: a line for each. */
export function describeSettings(settings: ReadonlyMap<string, unknown>): readonly string[] {
  const users = settings.get('plugin_users-permissions_advanced');
  if (!isRecord(users)) return [];
  const lines = Object.entries(advanced).flatMap(([name, { defaultValue, setting }]) => {
    const value = users[name] ?? defaultValue;
    return value === defaultValue ? [] : [`  users-permissions: ${setting} was ${JSON.stringify(value)}`];
  });
  return lines.length === 0 ? [] : ['Settings to declare in config/plugins:', ...lines];
}
