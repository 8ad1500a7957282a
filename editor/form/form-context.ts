import { createContext, use } from 'react';
import type { Issue } from '../model/rules.js';
import type { Content } from '../model/schema.js';
import type { Values } from '../model/values.js';

export interface Beside {
  readonly label: string;
  readonly values: Values;
}

interface Form {
  readonly content: Content;
  readonly issues: readonly Issue[];
  readonly isNew: boolean;
  /** The paths of components that the user has unfolded; they stay so when the entry is saved and read again. */
  readonly unfolded: Set<string>;
  /** Of a localized entry. */
  readonly locale: string | undefined;
  /** Another localization, to read while this one is written. */
  readonly beside: Beside | undefined;
}

/** What all fields of a form share. */
export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = use(FormContext);
  if (form === undefined) throw new Error('There is no form');
  return form;
}
