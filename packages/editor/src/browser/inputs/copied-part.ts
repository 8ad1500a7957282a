import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../api/kept.js';
import type { Part } from '../model/values.js';

const NAME = 'content-service.copied';
const CHANGED = 'content-service.copied';

/** Keeps a component to be pasted into other entries, in this tab until its user logs out. */
export function keepCopied(part: Part): void {
  keep('sessionStorage', NAME, JSON.stringify(part));
  dispatchEvent(new Event(CHANGED));
}

function subscribe(listen: () => void): () => void {
  addEventListener(CHANGED, listen);
  return () => removeEventListener(CHANGED, listen);
}

/** The component that was copied last. */
export function useCopied(): Part | undefined {
  const text = useSyncExternalStore(subscribe, () => readKept('sessionStorage', NAME));
  return text === undefined ? undefined : (JSON.parse(text) as Part);
}
