import { useEffect } from 'react';
import { useTexts } from '../language/language.js';

/** Names the page in the tab of the browser. */
export function useTitle(title: string): void {
  const { editor } = useTexts().common;
  useEffect(() => {
    document.title = `${title} – ${editor}`;
  }, [title, editor]);
}
