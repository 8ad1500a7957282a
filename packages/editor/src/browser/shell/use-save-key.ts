import { useEffect } from 'react';
import { frontOf } from './front-of.js';

/** Ctrl+S presses the button with `data-key="s"`, in the dialog in front or on the page. The browser's own dialog never helps here. */
export function useSaveKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 's') return;
      event.preventDefault();
      frontOf(document).querySelector<HTMLElement>('[data-key=s]:enabled')?.click();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
