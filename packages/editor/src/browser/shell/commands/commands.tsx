import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react';
import type { ShortcutName } from '../../model/commands/shortcuts.js';
import { useKeysOf } from './use-keys.js';

/** What can be done on the open page, by a key or out of the palette. */
export interface Command {
  readonly label: string;
  readonly shortcut?: ShortcutName | undefined;
  /** Whether it can be done now; absent: always. */
  readonly isEnabled?: () => boolean;
  readonly run: () => void;
}

/** The commands of the page, or those of a dialog over it. */
interface Scope {
  readonly depth: number;
  /** By the component that has them, in the order in which they appeared. */
  readonly commands: Map<string, readonly Command[]>;
}

/** All scopes, and the one that a component is in. */
interface Place {
  readonly scopes: Set<Scope>;
  readonly scope: Scope;
}

const newPlace = (): Place => {
  const scope: Scope = { depth: 0, commands: new Map() };
  return { scopes: new Set([scope]), scope };
};

const Context = createContext<Place>(newPlace());

/** Around the pages, whose commands it knows. */
export function CommandProvider({ children }: { readonly children: ReactNode }) {
  const [place] = useState(newPlace);
  return <Context value={place}>{children}</Context>;
}

/** Around a modal dialog: what is behind it cannot be done while it is open. */
export function CommandScope({ children }: { readonly children: ReactNode }) {
  const { scopes, scope } = use(Context);
  const [own] = useState((): Scope => ({ depth: scope.depth + 1, commands: new Map() }));
  useEffect(() => {
    scopes.add(own);
    return () => void scopes.delete(own);
  }, [scopes, own]);
  return <Context value={{ scopes, scope: own }}>{children}</Context>;
}

/** Offers commands while the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  const { scope } = use(Context);
  const id = useId();
  useEffect(() => {
    scope.commands.set(id, commands);
  });
  useEffect(() => () => void scope.commands.delete(id), [scope, id]);
}

/** Finds the commands of the dialog in front, or of the page. */
export function useFindCommands(): () => readonly Command[] {
  const { scopes } = use(Context);
  return useCallback(() => {
    const front = [...scopes].reduce((first, next) => (next.depth >= first.depth ? next : first));
    return [...front.commands.values()].flat().filter(({ isEnabled }) => isEnabled?.() !== false);
  }, [scopes]);
}

type ButtonProps = Pick<ComponentProps<'button'>, 'type' | 'className' | 'disabled' | 'onClick' | 'children'> & {
  readonly shortcut?: ShortcutName;
  /** What the palette calls it; the button too, unless it has children. */
  readonly label: string;
};

/** A button that does the same as a key, and as a row of the palette. */
export function CommandButton({ shortcut, label, children = label, ...button }: ButtonProps) {
  const element = useRef<HTMLButtonElement>(null);
  const keysOf = useKeysOf();
  const keys = shortcut && keysOf(shortcut);
  useCommands([
    {
      label,
      shortcut,
      // Some are there on wide screens only.
      isEnabled: () => element.current?.disabled === false && element.current.checkVisibility(),
      run: () => element.current?.click(),
    },
  ]);
  return (
    <button ref={element} title={keys?.written} aria-keyshortcuts={keys?.aria} {...button}>
      {children}
    </button>
  );
}
