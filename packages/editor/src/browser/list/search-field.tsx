import { Search } from 'lucide-react';
import { useTexts } from '../language/language.js';
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../shell/commands/commands.js';
import { useKeysOf } from '../shell/commands/use-keys.js';

/** Milliseconds without a key after which the search begins. */
const DELAY_MS = 300;

/** Searches while the user types; Enter does at once. */
export function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const texts = useTexts();
  const { search } = texts.common;
  const field = useRef<HTMLInputElement>(null);
  const { aria } = useKeysOf()('search');
  useCommands([
    {
      label: texts.keys.labels.search,
      shortcut: 'search',
      run: () => {
        field.current?.focus();
        field.current?.select();
      },
    },
  ]);
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // Another search came from outside: a link, or the button that shows all.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text);
      }}
    >
      <Search size={16} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-keyshortcuts={aria}
        aria-label={search}
        placeholder={search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
