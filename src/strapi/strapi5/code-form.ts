import type { CodeForm } from '../../plugins/contract/code-form.js';
import type { StrapiContext } from '../strapi.js';

/** What the plugin of the form has for code. @throws Error without it */
export function codeFormOf({ runtime }: Pick<StrapiContext, 'runtime'>): CodeForm {
  const form = runtime('strapi.documents').plugins.http.codeForm();
  if (form === undefined) throw new Error('strapi.documents needs the plugin strapi5');
  return form;
}
