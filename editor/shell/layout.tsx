import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../api/session.js';
import type { Content, ContentType } from '../model/schema.js';

/** The navigation beside a page; on a phone a button shows it. */
export function Layout({ content, children }: { readonly content: Content; readonly children: ReactNode }) {
  const { user, end } = useSession();
  const [isOpen, setOpen] = useState(false);
  const types = content.contentTypes.filter(({ plain, actions }) => !plain && actions.length > 0);
  const link = (href: string, label: string) => (
    <Link href={href} className={(active) => (active ? 'active' : '')} onClick={() => setOpen(false)}>
      {label}
    </Link>
  );
  const group = (title: string, kind: ContentType['kind']) => {
    const listed = types.filter((type) => type.kind === kind);
    if (listed.length === 0) return undefined;
    return (
      <>
        <h2>{title}</h2>
        <ul>
          {listed.map(({ uid, path, displayName }) => (
            <li key={uid}>{link(`/content/${path}`, displayName)}</li>
          ))}
        </ul>
      </>
    );
  };
  return (
    <div className="layout">
      <header className="top">
        <button
          type="button"
          className="menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <Link href="/" className="brand">
          Editor
        </Link>
        <span className="user">{user?.username}</span>
        <button type="button" onClick={end}>
          Log out
        </button>
      </header>
      <nav id="navigation" className={isOpen ? 'open' : ''} aria-label="Content">
        {group('Collections', 'collectionType')}
        {group('Single pages', 'singleType')}
        {content.files.find && (
          <>
            <h2>Library</h2>
            <ul>
              <li>{link('/files', 'Files')}</li>
            </ul>
          </>
        )}
      </nav>
      <main>{children}</main>
    </div>
  );
}
