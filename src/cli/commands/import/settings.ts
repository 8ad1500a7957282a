import { isRecord } from '../../../content-types/model/settings-schema.js';

/** Strapi's default user settings, and the names of the settings here. */
const advanced: Readonly<Record<string, { readonly defaultValue: unknown; readonly setting: string }>> = {
  allow_register: { defaultValue: true, setting: 'allowRegister' },
  unique_email: { defaultValue: true, setting: 'uniqueEmail' },
  email_confirmation: { defaultValue: false, setting: 'emailConfirmation' },
  email_reset_password: { defaultValue: null, setting: 'resetPasswordUrl' },
  email_confirmation_redirection: { defaultValue: null, setting: 'emailConfirmationRedirection' },
  default_role: { defaultValue: 'authenticated', setting: 'defaultRole' },
};

/** A line for each setting of Strapi's admin panel that belongs into the plugins file here. */
export function describeSettings(settings: ReadonlyMap<string, unknown>): readonly string[] {
  const users = settings.get('plugin_users-permissions_advanced');
  if (!isRecord(users)) return [];
  const lines = Object.entries(advanced).flatMap(([name, { defaultValue, setting }]) => {
    const value = users[name] ?? defaultValue;
    return value === defaultValue ? [] : [`  users-permissions: ${setting} was ${JSON.stringify(value)}`];
  });
  return lines.length === 0 ? [] : ['Settings to declare in config/plugins:', ...lines];
}
