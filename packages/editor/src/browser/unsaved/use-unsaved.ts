import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { useSearch, useLocation } from 'wouter';
import { formAttributes, isReadInForm, titleAttribute, type ContentType } from '../model/schema.js';
import type { Values } from '../model/values.js';
import { useNotice } from '../shell/notices.js';
import { useTexts } from '../language/language.js';
import { keepUnsaved, readUnsaved, type Unsaved } from './unsaved-texts.js';

interface Edited {
  /** Under which it is kept. */
  readonly name: string;
  readonly type: ContentType;
  readonly base: Values;
  readonly etag: string | undefined;
  readonly unsaved: Unsaved | undefined;
  /** The form is the page, and not over another one. */
  readonly isPage: boolean;
}

/**
 * The values of a form. They outlive the page and its tab, and the browser warns before it closes the tab. Passwords
 * are not kept.
 * @returns the values, how to change them, and how to remove what is kept
 */
export function useUnsaved({
  name,
  type,
  base,
  etag,
  unsaved,
  isPage,
}: Edited): readonly [values: Values, setValues: Dispatch<SetStateAction<Values>>, discard: () => void] {
  const [values, setValues] = useState<Values>(unsaved === undefined ? base : { ...base, ...unsaved.values });
  const texts = useTexts();
  const show = useNotice();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const address = isPage ? `${location}${search && `?${search}`}` : undefined;
  useEffect(() => {
    if (values === base) return undefined;
    const changed = formAttributes(type).filter(
      (attribute) => isReadInForm(attribute) && values[attribute.name] !== base[attribute.name],
    );
    const title = values[titleAttribute(type)?.name ?? ''];
    const kept: Unsaved = {
      etag,
      values: Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null])),
      title: typeof title === 'string' && title !== '' ? title : undefined,
      address,
      at: new Date().toISOString(),
    };
    // Of what is too long for the browser the warning remains.
    keepUnsaved(name, changed.length === 0 ? undefined : kept);
    if (changed.length === 0) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [name, values, base, etag, type]);
  useEffect(
    () => () => {
      const kept = readUnsaved(name);
      // A form that is read again stays where it is.
      const { pathname, search: now } = globalThis.location;
      if (kept?.address === undefined || `${pathname}${now}`.endsWith(kept.address)) return;
      const { title = texts.form.newOf(type.entryName), address } = kept;
      const action = { label: texts.unsaved.goOn, run: () => navigate(address) };
      // What else leaves with the form takes its message away.
      queueMicrotask(() => show({ kind: 'done', text: texts.unsaved.isKept(title), action }));
    },
    [name],
  );
  return [values, setValues, () => keepUnsaved(name, undefined)];
}
