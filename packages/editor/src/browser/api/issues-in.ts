import type { Issue } from '../model/rules.js';
import type { RequestError } from './api.js';

interface Listed {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The errors of the service, with paths of the form. */
export function issuesIn({ details }: RequestError): readonly Issue[] {
  const { errors = [] } = details as { readonly errors?: readonly Listed[] };
  return errors.flatMap(({ path, message }) => (path.length === 0 ? [] : [{ path: path.join('.'), message }]));
}
