import { useEffect } from 'react';
import { keep, readKept } from '../../api/kept.js';
import { isSingle, pressedIn } from '../../model/commands/shortcuts.js';
import { useFindCommands } from './commands.js';

const KEY = 'content-service.single-keys';

/**
 * Whether keys without Ctrl do something. People who speak to their computer, or hit keys by mistake, turn them off.
 */
export const usesSingleKeys = (): boolean => readKept('localStorage', KEY) !== 'off';
export const chooseSingleKeys = (isOn: boolean): void => keep('localStorage', KEY, isOn ? undefined : 'off');

/** What takes letters: fields, texts, and lists that lead to the option which begins with one. */
const taking =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=textbox], [role=listbox], [role=option], [aria-haspopup=listbox]';

/** Does what a key stands for, unless the field with the focus has a use for it. */
export function useShortcuts(): void {
  const find = useFindCommands();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const { target } = event;
      const isTaken = target instanceof Element && target.closest(taking) !== null;
      for (const name of pressedIn(['everywhere', 'list', 'form'], event)) {
        if (isSingle(name) && (isTaken || !usesSingleKeys())) continue;
        // What the browser has for it never helps here.
        if (!isSingle(name)) event.preventDefault();
        const command = find().findLast((one) => one.shortcut === name);
        if (command === undefined) continue;
        event.preventDefault();
        command.run();
        return;
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [find]);
}
