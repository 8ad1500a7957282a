interface Shortcut {
  /** As browsers name it: a letter is a small one. */
  readonly key: string;
  /** Ctrl, or the Command key of a Mac. */
  readonly control?: true;
  readonly shift?: true;
  readonly alt?: true;
  /** Where it means something. */
  readonly scope: 'everywhere' | 'list' | 'form' | 'text';
}

/**
 * All keys of the editor with a meaning of its own: what handles them, and the list that people see, read this table.
 */
export const shortcuts = {
  palette: { key: 'k', control: true, scope: 'everywhere' },
  keys: { key: '?', scope: 'everywhere' },
  search: { key: '/', scope: 'list' },
  create: { key: 'n', scope: 'list' },
  nextPage: { key: 'j', scope: 'list' },
  previousPage: { key: 'k', scope: 'list' },
  nextFile: { key: 'ArrowDown', alt: true, scope: 'list' },
  previousFile: { key: 'ArrowUp', alt: true, scope: 'list' },
  save: { key: 's', control: true, scope: 'form' },
  publish: { key: 's', control: true, shift: true, scope: 'form' },
  insert: { key: '/', scope: 'text' },
  link: { key: 'k', control: true, scope: 'text' },
  bold: { key: 'b', control: true, scope: 'text' },
  italic: { key: 'i', control: true, scope: 'text' },
  underline: { key: 'u', control: true, scope: 'text' },
  code: { key: 'e', control: true, scope: 'text' },
  strikethrough: { key: 'x', control: true, shift: true, scope: 'text' },
  pastePlain: { key: 'v', control: true, shift: true, scope: 'text' },
  leaveBlock: { key: 'Enter', control: true, scope: 'text' },
  moveUp: { key: 'ArrowUp', alt: true, scope: 'text' },
  moveDown: { key: 'ArrowDown', alt: true, scope: 'text' },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof shortcuts;
export type ShortcutScope = Shortcut['scope'];

/** A key with what is held, as browsers describe it. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Keys that a field would take as text. */
export const isSingle = (name: ShortcutName): boolean => {
  const { control, alt }: Shortcut = shortcuts[name];
  return control !== true && alt !== true;
};

/** The shortcuts that a key can mean in these scopes. Signs are typed with Shift on some keyboards. */
export function pressedIn(scopes: readonly ShortcutScope[], pressed: Pressed): readonly ShortcutName[] {
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  return shortcutNames.filter((name) => {
    const shortcut: Shortcut = shortcuts[name];
    const isSign = key.length === 1 && key === key.toUpperCase();
    return (
      scopes.includes(shortcut.scope) &&
      shortcut.key === key &&
      (shortcut.control === true) === (pressed.ctrlKey || pressed.metaKey) &&
      (shortcut.alt === true) === pressed.altKey &&
      (isSign || (shortcut.shift === true) === pressed.shiftKey)
    );
  });
}

export const shortcutNames = Object.keys(shortcuts) as readonly ShortcutName[];

/** What is written on keys. */
export interface KeyNames {
  readonly control: string;
  readonly shift: string;
  readonly alt: string;
}

const macNames: KeyNames = { control: '⌘', shift: '⇧', alt: '⌥' };
const signs: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

/** The keys of a shortcut as people read them: `Ctrl+S`, on a Mac `⌘S`. */
export function writeShortcut(name: ShortcutName, names: KeyNames, isMac: boolean): string {
  const { key, ...held }: Shortcut = shortcuts[name];
  const written = isMac ? macNames : names;
  const parts = (['control', 'alt', 'shift'] as const).filter((one) => held[one] === true).map((one) => written[one]);
  const last = signs[key] ?? (parts.length > 0 && key.length === 1 ? key.toUpperCase() : key);
  return [...parts, last].join(isMac ? '' : '+');
}

/** The keys as ARIA writes them. */
export function ariaShortcut(name: ShortcutName, isMac: boolean): string {
  const { key, control, alt, shift }: Shortcut = shortcuts[name];
  const held = {
    Control: control === true && !isMac,
    Meta: control === true && isMac,
    Alt: alt === true,
    Shift: shift === true,
  };
  return [...Object.entries(held).flatMap(([named, isHeld]) => (isHeld ? [named] : [])), key].join('+');
}
