import lodash from 'lodash';
import type { Mail } from '../../plugins/contract/plugin.js';
import type { Named, Strapi, StrapiContext } from '../strapi.js';
import { stringUtilities } from '../utilities/strings.js';

const parts = ['subject', 'text', 'html'] as const;

/** A template with `<%= user.name %>` replaced by the data; names that the data does not have stay. */
function fill(template: string, data: Named): string {
  const names = new Set(stringUtilities.keysDeep(data));
  return template.replaceAll(/<%=\s*([^\s%]+)\s*%>/g, (placeholder, name: string) =>
    names.has(name) ? String(lodash.get(data, name)) : placeholder,
  );
}

/** The service of the plugin email, as project code calls it. */
export const emailServices = ({ runtime }: StrapiContext): Named<(parts: { readonly strapi: Strapi }) => Named> => ({
  email: () => {
    const send = async (mail: Named): Promise<void> => {
      await runtime('the service email').plugins.mailer.send(mail as Mail);
    };
    return {
      send,
      /** @throws Error for a template that lacks a part */
      sendTemplatedEmail: async (mail: Named, template: Named<string>, data: Named = {}) => {
        const missing = parts.filter((part) => !Object.hasOwn(template, part));
        if (missing.length > 0) {
          throw new Error(`Following attributes are missing from your email template : ${missing.join(', ')}`);
        }
        const filled = parts.map((part) => [part, fill(template[part] ?? '', data)] as const);
        await send({ ...mail, ...Object.fromEntries(filled.filter(([, text]) => text !== '')) });
      },
    };
  },
});
