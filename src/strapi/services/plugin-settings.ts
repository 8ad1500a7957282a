import type { Config } from '../../config/config.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import type { SettingOf } from './store.js';

/** Settings that Strapi v4 keeps in its store, and the service in its plugins file. */
export function pluginSettings(_plugins: readonly Plugin[], { plugins }: Config): SettingOf {
  return async (name) => {
    if (name !== 'plugin_users-permissions_advanced') return undefined;
    const settings = plugins['users-permissions']?.config ?? {};
    return {
      unique_email: settings['uniqueEmail'] ?? true,
      allow_register: settings['allowRegister'] ?? true,
      email_confirmation: settings['emailConfirmation'] ?? false,
      email_reset_password: settings['resetPasswordPage'] ?? null,
      email_confirmation_redirection: settings['emailConfirmationRedirection'] ?? '',
      default_role: settings['defaultRole'] ?? 'authenticated',
    };
  };
}
