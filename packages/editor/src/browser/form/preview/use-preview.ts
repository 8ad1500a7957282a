import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { keep, readKept } from '../../api/kept.js';
import { frameOrigin, previewOf } from '../../model/preview.js';
import type { Content, ContentType } from '../../model/schema.js';

const KEY = 'content-service.preview';

/** Whether the page of an entry is shown beside its form; the browser keeps that for all forms. */
export function usePreview(content: Content, type: ContentType, entry: Entry | undefined) {
  const [isOpen, setOpen] = useState(() => readKept('localStorage', KEY) === 'beside');
  const address = entry === undefined ? undefined : previewOf(type, entry);
  const origin = address === undefined ? undefined : frameOrigin(content, address);
  const toggle = (): void => {
    keep('localStorage', KEY, isOpen ? undefined : 'beside');
    setOpen(!isOpen);
  };
  const shown = entry !== undefined && address !== undefined && origin !== undefined && { entry, address, origin };
  return {
    /** Undefined: the entry has no page in a frame. */
    toggle: shown === false ? undefined : toggle,
    shown: isOpen && shown !== false ? shown : undefined,
  };
}
