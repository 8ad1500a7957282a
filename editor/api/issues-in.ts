import type { Texts } from '../language/texts.js';
import type { Issue } from '../model/rules.js';
import type { RequestError } from './api.js';

/** The errors of the service, with paths of the form. */
export function issuesIn({ details, message }: RequestError, { taken }: Texts['rules']): readonly Issue[] {
  const errors =
    typeof details === 'object' && details !== null && 'errors' in details && Array.isArray(details.errors)
      ? (details.errors as readonly { readonly path?: readonly (string | number)[]; readonly message?: string }[])
      : [];
  return errors.flatMap(({ path = [], message: text = message }) =>
    path.length === 0 ? [] : [{ path: path.join('.'), message: text.endsWith(' unique') ? taken : text }],
  );
}
