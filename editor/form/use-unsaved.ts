import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { formAttributes, type Model } from '../model/schema.js';
import type { Values } from '../model/values.js';

/** Values that were typed and not saved, and the version of the entry that they were typed over. */
interface Unsaved {
  readonly etag?: string | undefined;
  readonly values: Values;
}

const nameOf = (key: string): string => `content-service.unsaved.${key}`;

/** What was typed into a form before its page was left. */
export function readUnsaved(key: string): Unsaved | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null') as Unsaved | null) ?? undefined;
  } catch {
    return undefined;
  }
}

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
    write(key, { etag, values: Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null])) });
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [key, values, base, etag, model]);
  return [values, setValues, () => sessionStorage.removeItem(nameOf(key))];
}

/** What is too long for the browser is not kept; the warning remains. */
function write(key: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(nameOf(key), JSON.stringify(unsaved));
  } catch {
    sessionStorage.removeItem(nameOf(key));
  }
}
