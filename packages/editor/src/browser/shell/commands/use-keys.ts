import { useTexts } from '../../language/language.js';
import { ariaShortcut, writeShortcut, type ShortcutName } from '../../model/commands/shortcuts.js';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The keys of a shortcut, as people and as programs read them. */
export function useKeysOf(): (name: ShortcutName) => { readonly written: string; readonly aria: string } {
  const { keyNames } = useTexts().keys;
  return (name) => ({ written: writeShortcut(name, keyNames, isMac), aria: ariaShortcut(name, isMac) });
}
