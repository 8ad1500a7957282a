import { createContext, use } from 'react';
import type { Issue } from '../model/rules.js';
import type { Attribute, Content, ContentType } from '../model/schema.js';
import type { Link, Value, Values } from '../model/values.js';

export interface Beside {
  readonly label: string;
  readonly locale: string;
  readonly values: Values;
}

/** The fields of an entry or a component. */
export interface FieldsProps {
  readonly attributes: readonly Attribute[];
  readonly values: Values;
  /** Before the names: empty, or e.g. `blocks.0.`. */
  readonly path: string;
  readonly onChange: (name: string, value: Value) => void;
}

/** What an input needs for its label and its state. */
export interface InputState {
  readonly id: string;
  readonly disabled: boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string;
}

interface Form {
  readonly content: Content;
  readonly issues: readonly Issue[];
  /** The paths of values that had to be corrected: conditions do not hide their fields. */
  readonly uncovered?: ReadonlySet<string>;
  readonly isNew: boolean;
  /** The id of the field of a path: unique on the page, where forms of related entries may be open too. */
  readonly fieldId: (path: string) => string;
  /** Nothing can be changed: the user may only read. */
  readonly isLocked: boolean;
  /** Of a localized entry. */
  readonly locale: string | undefined;
  /** The attributes that differ from what readers see, if the form is about what is prepared. */
  readonly changed?: ReadonlySet<string>;
  /** What readers see meanwhile. */
  readonly published?: Values | undefined;
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

/**
 * How the text of an attribute is written: spelling is checked in its language, and what is in it says where it begins.
 */
export function useWritten({ shared }: { readonly shared?: boolean }): {
  readonly dir: 'auto';
  readonly lang?: string;
} {
  const { locale } = useForm();
  return { dir: 'auto', ...(locale !== undefined && shared !== true && { lang: locale }) };
}

/** A related entry that the user wants to create without leaving the form. */
export interface Wanted {
  readonly type: ContentType;
  /** Of a localized type. */
  readonly locale: string | undefined;
  /** What the user searched for in vain; may be empty. */
  readonly title: string;
  readonly onCreated: (link: Link) => void;
}

/** Opens the form of a related entry over the one that needs it; undefined: there is none. */
export const RelatedContext = createContext<((wanted: Wanted) => void) | undefined>(undefined);
