import { PanelLeft, PencilLine, Search, UserRound } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { keep, readKept } from '../api/kept.js';
import { useSession } from '../api/session.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
import type { Content } from '../model/schema.js';
import { useAccountAppearance, useAppearance } from '../people/use-appearance.js';
import { useFindCommands, useCommands, type Command } from './commands/commands.js';
import { groupsOf } from './commands/places.js';
import { useKeysOf } from './commands/use-keys.js';
import { useShortcuts } from './commands/use-shortcuts.js';
import { Boundary } from './boundary.js';
import { ConfirmDeletion } from './deletion/confirm-deletion.js';
import { Brand, useEditorName } from './identity.js';
import { pageOf } from './page-of.js';
import { useUnsavedCounts } from '../unsaved/unsaved-list.js';

const [Palette] = pageOf(async () => (await import('./commands/palette.js')).Palette);
const [KeysDialog] = pageOf(async () => (await import('./commands/keys-dialog.js')).KeysDialog);

/** The navigation beside a page; a button hides it, and shows it on a phone. */
export function Layout({ content, children }: { readonly content: Content; readonly children: ReactNode }) {
  const texts = useTexts();
  const { user, end } = useSession();
  const name = useEditorName();
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  const menu = useMenu();
  const appearance = useAppearance();
  const keysOf = useKeysOf();
  const find = useFindCommands();
  const [open, setOpen] = useState<'keys' | readonly Command[]>();
  const openPalette = (): void => setOpen(find());
  useAccountAppearance(content);
  useShortcuts();
  useCommands([
    { label: texts.keys.labels.palette, shortcut: 'palette', run: openPalette },
    { label: texts.keys.labels.keys, shortcut: 'keys', run: () => setOpen('keys') },
  ]);
  // Who goes on by keyboard begins with the new page, and screen readers read it; in a form that stays they go on where
  // they are.
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    if (main.current?.querySelector('form :focus') === null) main.current.focus({ preventScroll: true });
  }, [location]);
  const unsaved = useUnsavedCounts(content, location);
  const [isLeaving, setLeaving] = useState(false);
  const logOut = (): void => (unsaved.all === 0 ? end() : setLeaving(true));
  const isBelow = (href: string): boolean => location === href || location.startsWith(`${href}/`);
  return (
    <div className={menu.isShown ? 'layout' : 'layout without-menu'}>
      <a className="skip" href="#main">
        {texts.shell.skip}
      </a>
      <header className="top">
        <button
          type="button"
          className="quiet menu"
          title={texts.shell.menu}
          aria-label={texts.shell.menu}
          aria-expanded={menu.isShown}
          aria-controls="navigation"
          onClick={menu.toggle}
        >
          <PanelLeft size={18} aria-hidden="true" />
        </button>
        <Link href="/" className="brand" title={name} onClick={menu.leave}>
          <Brand />
        </Link>
        <button
          type="button"
          className="open-palette"
          title={texts.palette.title}
          aria-keyshortcuts={keysOf('palette').aria}
          onClick={openPalette}
        >
          <Search size={16} aria-hidden="true" />
          <span>{texts.palette.title}</span>
          <kbd aria-hidden="true">{keysOf('palette').written}</kbd>
        </button>
        <Link href="/account" className="user" title={texts.account.title} onClick={menu.leave}>
          <UserRound size={18} aria-hidden="true" /> <span>{user?.username}</span>
        </Link>
        <button type="button" onClick={logOut}>
          {texts.account.logOut}
        </button>
      </header>
      <nav id="navigation" hidden={!menu.isShown} aria-label={texts.shell.navigation}>
        {unsaved.closed > 0 && (
          <Link href="/" className="unsaved" onClick={menu.leave}>
            <PencilLine size={16} aria-hidden="true" />
            {texts.unsaved.count(unsaved.closed)}
          </Link>
        )}
        {groupsOf(texts, content).map(({ title, places }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {places.map(({ address, label, icon: Icon }) => (
                <li key={address}>
                  <Link href={address} className={isBelow(address) ? 'active' : ''} onClick={menu.leave}>
                    <Icon size={16} aria-hidden="true" />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <LanguageChoice onChoose={appearance.onLanguage} />
      </nav>
      <main ref={main} id="main" tabIndex={-1}>
        <Boundary place={location}>{children}</Boundary>
      </main>
      {isLeaving && (
        <ConfirmDeletion
          title={texts.unsaved.askLogOut}
          text={texts.unsaved.isLost(unsaved.all)}
          keep={texts.unsaved.stay}
          action={texts.account.logOut}
          onClose={() => setLeaving(false)}
          onDelete={end}
        />
      )}
      {open === 'keys' && <KeysDialog onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'keys' && (
        <Palette
          content={content}
          commands={open.filter(({ shortcut }) => shortcut !== 'palette' && shortcut !== 'keys')}
          onClose={() => setOpen(undefined)}
          onKeys={() => setOpen('keys')}
          onEnd={logOut}
          {...appearance}
        />
      )}
    </div>
  );
}

/** Where there is room for the menu beside the page, as in layout.css. */
const narrow = globalThis.matchMedia('(width <= 52rem)');

function listenToWidth(listen: () => void): () => void {
  narrow.addEventListener('change', listen);
  return () => narrow.removeEventListener('change', listen);
}

const KEY = 'content-service.menu';

/**
 * Whether the menu is shown: on a phone when it was asked for, and otherwise until it is hidden, which this browser
 * keeps.
 */
function useMenu() {
  const isNarrow = useSyncExternalStore(listenToWidth, () => narrow.matches);
  const [isOpen, setOpen] = useState(false);
  const [isHidden, setHidden] = useState(() => readKept('localStorage', KEY) === 'hidden');
  return {
    isShown: isNarrow ? isOpen : !isHidden,
    toggle: (): void => {
      if (isNarrow) setOpen(!isOpen);
      else {
        setHidden(!isHidden);
        keep('localStorage', KEY, isHidden ? undefined : 'hidden');
      }
    },
    /** Another page was chosen. */
    leave: () => setOpen(false),
  };
}
