import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { Transforms, type Range } from 'slate';
import { ReactEditor, useSlate } from 'slate-react';
import { useTexts } from '../../language/language.js';
import { matchesIn, replace } from './matches.js';

interface Props {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onClose: () => void;
}

/** Finds letters in a text, and replaces them. */
export function SearchBar({ search, onSearch, onClose }: Props) {
  const texts = useTexts().writing.find;
  const editor = useSlate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const matches = matchesIn(editor, search);
  const at = Math.min(chosen, Math.max(0, matches.length - 1));
  const show = (index: number): void => {
    setChosen(index);
    const match = matches[index];
    if (match === undefined) return;
    Transforms.select(editor, match);
    ReactEditor.toDOMRange(editor, match).startContainer.parentElement?.scrollIntoView({ block: 'center' });
  };
  const step = (by: number): void => show((at + by + matches.length) % Math.max(1, matches.length));
  const replaceThese = (ranges: readonly Range[]): void => replace(editor, ranges, text);
  const button = (label: string, Icon: typeof X, onClick: () => void, disabled = false) => (
    <button type="button" className="quiet" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
  return (
    <div
      className="find"
      role="group"
      aria-label={texts.title}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // The form is not sent, and a dialog around it stays open.
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
        else if (!(event.target instanceof HTMLButtonElement)) step(event.shiftKey ? -1 : 1);
        else event.target.click();
      }}
    >
      <input
        aria-label={texts.search}
        placeholder={texts.search}
        value={search}
        autoComplete="off"
        // Whoever opens it wants to write here.
        ref={focusOnce}
        onChange={({ target }) => {
          setChosen(0);
          onSearch(target.value);
        }}
      />
      <span role="status" className="quiet-text">
        {search !== '' && texts.place(matches.length === 0 ? 0 : at + 1, matches.length)}
      </span>
      {button(texts.previous, ArrowUp, () => step(-1), matches.length === 0)}
      {button(texts.next, ArrowDown, () => step(1), matches.length === 0)}
      <input
        aria-label={texts.replaceBy}
        placeholder={texts.replaceBy}
        value={text}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <button type="button" disabled={matches.length === 0} onClick={() => replaceThese(matches.slice(at, at + 1))}>
        {texts.replace}
      </button>
      <button type="button" disabled={matches.length === 0} onClick={() => replaceThese(matches)}>
        {texts.replaceAll}
      </button>
      {button(texts.close, X, onClose)}
    </div>
  );
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();
