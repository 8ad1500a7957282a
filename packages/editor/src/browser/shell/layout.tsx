import {
  FileText,
  Images,
  KeyRound,
  Languages,
  Rows3,
  Shapes,
  ShieldCheck,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
import { Brand, useEditorName } from './identity.js';
import { useSaveKey } from './use-save-key.js';
import { ROLE, typeOf, USER, type Content, type ContentType } from '../model/schema.js';

type Place = readonly [address: string, label: string, icon: LucideIcon];

/** The navigation beside a page; on a phone a button shows it. */
export function Layout({ content, children }: { readonly content: Content; readonly children: ReactNode }) {
  const texts = useTexts();
  const { user, end } = useSession();
  const name = useEditorName();
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useSaveKey();
  // Who goes on by keyboard begins with the new page, and screen readers read it; in a form that stays they go on where they are.
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    if (main.current?.querySelector('form :focus') === null) main.current.focus({ preventScroll: true });
  }, [location]);
  const isBelow = (href: string): boolean => location === href || location.startsWith(`${href}/`);
  const types = content.contentTypes.filter(({ plain, actions }) => !plain && actions.length > 0);
  const list = (title: string, links: readonly Place[]) =>
    links.length > 0 && (
      <>
        <h2>{title}</h2>
        <ul>
          {links.map(([address, label, Icon]) => (
            <li key={address}>
              <Link href={address} className={isBelow(address) ? 'active' : ''} onClick={() => setOpen(false)}>
                <Icon size={16} aria-hidden="true" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </>
    );
  const group = (title: string, kind: ContentType['kind'], icon: LucideIcon) =>
    list(
      title,
      types.filter((type) => type.kind === kind).map(({ path, listName }) => [`/content/${path}`, listName, icon]),
    );
  const isVisible = (uid: string): boolean => typeOf(content, uid)?.actions.includes('find') === true;
  return (
    <div className="layout">
      <a className="skip" href="#main">
        {texts.shell.skip}
      </a>
      <header className="top">
        <button
          type="button"
          className="menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          {texts.shell.menu}
        </button>
        <Link href="/" className="brand" title={name} onClick={() => setOpen(false)}>
          <Brand />
        </Link>
        <Link href="/account" className="user" title={texts.account.title} onClick={() => setOpen(false)}>
          <UserRound size={18} aria-hidden="true" /> <span>{user?.username}</span>
        </Link>
        <button type="button" onClick={end}>
          {texts.account.logOut}
        </button>
      </header>
      <nav id="navigation" className={isOpen ? 'open' : ''} aria-label={texts.shell.navigation}>
        {group(texts.shell.collections, 'collectionType', Rows3)}
        {group(texts.shell.singlePages, 'singleType', FileText)}
        {content.files.find && list(texts.shell.library, [['/files', texts.shell.files, Images]])}
        {list(texts.shell.access, [
          ...(isVisible(USER) ? ([['/content/users', texts.shell.users, UsersRound]] as const) : []),
          ...(isVisible(ROLE) ? ([['/roles', texts.shell.roles, ShieldCheck]] as const) : []),
          ...(content.tokens.find ? ([['/tokens', texts.shell.tokens, KeyRound]] as const) : []),
        ])}
        {list(texts.builder.structure, [
          ...(content.definitions.find ? ([['/types', texts.builder.title, Shapes]] as const) : []),
          ...(content.replacesLocales ? ([['/locales', texts.builder.locales, Languages]] as const) : []),
        ])}
        <LanguageChoice />
      </nav>
      <main ref={main} id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
