import { createContext, use } from 'react';
import type { Issue } from '../model/rules.js';
import type { Content } from '../model/schema.js';

interface Form {
  readonly content: Content;
  readonly issues: readonly Issue[];
  readonly isNew: boolean;
  /** Of a localized entry. */
  readonly locale: string | undefined;
}

/** What all fields of a form share. */
export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = use(FormContext);
  if (form === undefined) throw new Error('There is no form');
  return form;
}
