import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { keep, readKeptJson } from '../api/kept.js';
import { formAttributes, type Model } from '../model/schema.js';
import type { Values } from '../model/values.js';

/** Values that were typed and not saved, and the version of the entry that they were typed over. */
interface Unsaved {
  readonly etag?: string | undefined;
  readonly values: Values;
}

const nameOf = (key: string): string => `content-service.unsaved.${key}`;

/** What was typed into a form before its page was left. */
export const readUnsaved = (key: string): Unsaved | undefined =>
  readKeptJson('sessionStorage', nameOf(key)) as Unsaved | undefined;

interface Edited {
  readonly key: string;
  readonly model: Model;
  readonly base: Values;
  readonly etag: string | undefined;
  readonly unsaved: Unsaved | undefined;
}

/**
 * The values of a form. They outlive the page, in this tab, and the browser warns before it closes the tab. Passwords are not kept.
 * @returns the values, how to change them, and how to remove what is kept
 */
export function useUnsaved({
  key,
  model,
  base,
  etag,
  unsaved,
}: Edited): readonly [values: Values, setValues: Dispatch<SetStateAction<Values>>, discard: () => void] {
  const [values, setValues] = useState<Values>(unsaved === undefined ? base : { ...base, ...unsaved.values });
  useEffect(() => {
    if (values === base) return undefined;
    const changed = formAttributes(model).filter(({ name, read }) => read && values[name] !== base[name]);
    const unsavedValues = Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null]));
    // Of what is too long for the browser the warning remains.
    keep('sessionStorage', nameOf(key), JSON.stringify({ etag, values: unsavedValues } satisfies Unsaved));
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [key, values, base, etag, model]);
  return [values, setValues, () => keep('sessionStorage', nameOf(key), undefined)];
}
