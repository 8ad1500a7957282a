import { useEffect, useRef, useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { changedAttributes } from '../../model/body.js';
import { readMessage, typedOf } from '../../model/preview.js';
import { formAttributes, type Content, type ContentType } from '../../model/schema.js';
import type { Values } from '../../model/values.js';

export interface Previewed {
  readonly content: Content;
  readonly type: ContentType;
  /** As it is stored. */
  readonly entry: Entry;
  readonly base: Values;
  /** Those in the form. */
  readonly values: Values;
  /** The address of the entry in the site, and its origin. */
  readonly address: string;
  readonly origin: string;
  /** Leads to the field of a path. */
  readonly onField: (path: string) => void;
}

/** Milliseconds after which a pause in typing is shown. */
const PAUSE = 150;

/**
 * Tells the page of a site in a frame what is typed and that the entry was saved, and hears which field was clicked
 * there. A page without the script for previews is loaded again when the entry was saved.
 */
export function useSite({ content, type, entry, base, values, origin, onField }: Omit<Previewed, 'address'>) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  /** How often a page has said that it listens: it says so when it is loaded. */
  const [greetings, setGreetings] = useState(0);
  const isListening = greetings > 0;
  const name = `${type.uid}:${entry.id}`;
  const tell = (message: object): void =>
    frame.current?.contentWindow?.postMessage({ contentService: message }, origin);

  useEffect(() => {
    const hear = ({ origin: from, source, data }: MessageEvent<unknown>): void => {
      if (from !== origin || source !== frame.current?.contentWindow) return;
      const message = readMessage(data, name);
      if (message?.kind === 'ready') setGreetings((count) => count + 1);
      if (message?.kind === 'field') onField(message.path);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [origin, name, onField]);

  // A value that is typed back to what is stored has to be told, too.
  const told = useRef(new Set<string>());
  useEffect(() => {
    if (!isListening) return undefined;
    const timer = setTimeout(() => {
      for (const attribute of changedAttributes(type, base, values)) told.current.add(attribute.name);
      const attributes = formAttributes(type).filter((attribute) => told.current.has(attribute.name));
      tell({ kind: 'typed', uid: type.uid, id: entry.id, attributes: typedOf(content, attributes, values) });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [greetings, values]);

  const shown = useRef(entry);
  useEffect(() => {
    if (shown.current === entry) return;
    shown.current = entry;
    told.current.clear();
    if (isListening) tell({ kind: 'saved' });
    else setLoads((count) => count + 1);
  }, [entry]);

  const reload = (): void => {
    setGreetings(0);
    setLoads((count) => count + 1);
  };
  return { frame, loads, isListening, reload };
}
