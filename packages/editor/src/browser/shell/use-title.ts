import { useEffect } from 'react';
import { useEditorName } from './identity.js';

/** Names the page in the tab of the browser. */
export function useTitle(title: string): void {
  const editor = useEditorName();
  useEffect(() => {
    document.title = `${title} – ${editor}`;
  }, [title, editor]);
}
