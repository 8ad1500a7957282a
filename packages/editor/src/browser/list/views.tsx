import { Bookmark, X } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { firstPage, showsSame, viewOf, type View } from '../model/lists/list-state.js';
import type { Content } from '../model/schema.js';
import { Dialog } from '../shell/dialog.js';
import { Field } from '../small-forms/field.js';
import { useKeepPreferences } from '../people/use-preferences.js';

/** The views of a list that its user named, kept in the account; and how to replace them. */
export function useViews({ account: { preferences } }: Content, path: string) {
  const keep = useKeepPreferences();
  const name = `views.${path}`;
  const change = (views: readonly View[]): void => keep({ [name]: views.length === 0 ? null : views });
  return [parse(preferences[name]), change] as const;
}

const parse = (kept: unknown): readonly View[] =>
  Array.isArray(kept)
    ? ((kept as readonly (View | null)[]).filter((view) => typeof view?.search === 'string') as readonly View[])
    : [];

interface TabsProps {
  readonly path: string;
  readonly views: readonly View[];
  readonly shown: View;
  /** The columns are not in the address. */
  readonly onOpen: (view: View) => void;
}

/** Leads to the views of a list, and to all of it. */
export function ViewTabs({ path, views, shown, onOpen }: TabsProps) {
  const texts = useTexts().list;
  if (views.length === 0) return undefined;
  return (
    <nav className="views" aria-label={texts.views}>
      {[viewOf(texts.all, firstPage, undefined), ...views].map((view) => (
        <Link
          key={view.name}
          href={`/content/${path}${view.search && `?${view.search}`}`}
          aria-current={showsSame(view, shown) ? 'page' : undefined}
          onClick={() => onOpen(view)}
        >
          {view.name}
        </Link>
      ))}
    </nav>
  );
}

interface ChoiceProps {
  readonly views: readonly View[];
  readonly shown: View;
  readonly onChange: (views: readonly View[]) => void;
}

/** Gives what the list shows a name, and removes such views. */
export function ViewChoice({ views, shown, onChange }: ChoiceProps) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const without = (name: string): readonly View[] => views.filter((view) => view.name !== name);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name !== '') onChange([...without(name), { ...shown, name }]);
    setOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Bookmark size={16} aria-hidden="true" />
        {texts.list.views}
      </button>
      {isOpen && (
        <Dialog title={texts.list.views} onClose={() => setOpen(false)}>
          <form onSubmit={submit}>
            <Field
              label={texts.common.name}
              name="name"
              required
              maxLength={60}
              pattern={`(?!\\s*${texts.list.all}\\s*$).*`}
              wrong={texts.list.viewOfAll(texts.list.all)}
              autoComplete="off"
            />
            <p className="hint">{texts.list.viewsAreKept}</p>
            <div className="actions">
              <button type="submit" className="primary">
                {texts.list.saveView}
              </button>
            </div>
          </form>
          {views.length > 0 && (
            <ul className="links">
              {views.map(({ name }) => (
                <li key={name} className="row">
                  <span className="grow">{name}</span>
                  <button type="button" aria-label={texts.inputs.remove(name)} onClick={() => onChange(without(name))}>
                    <X size={16} aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
    </>
  );
}
