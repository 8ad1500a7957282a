import {
  FileText,
  House,
  Keyboard,
  Languages,
  LogOut,
  Palette as Paint,
  Plus,
  Search,
  SquarePlay,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { formAddress, newAddress } from '../../api/entries.js';
import { useOptions } from '../../inputs/option-list.js';
import type { Language } from '../../language/choose-language.js';
import { languageNames } from '../../language/language-choice.js';
import { useTexts } from '../../language/language.js';
import { fitting, searchedTypes } from '../../model/commands/palette.js';
import { firstState, libraryAddress } from '../../model/library/library-state.js';
import { firstPage, formatListState } from '../../model/lists/list-state.js';
import { isListed, type Content } from '../../model/schema.js';
import { linkOf } from '../../model/values.js';
import { Dialog } from '../dialog.js';
import { themes, type Theme } from '../theme.js';
import type { Command } from './commands.js';
import { groupsOf } from './places.js';
import { useFound } from './use-found.js';
import { useKeysOf } from './use-keys.js';

interface Props {
  readonly content: Content;
  /** Those of the page behind it. */
  readonly commands: readonly Command[];
  readonly onClose: () => void;
  readonly onKeys: () => void;
  readonly onTheme: (theme: Theme) => void;
  readonly onLanguage: (language: Language) => void;
  readonly onEnd: () => void;
}

/** A row of the palette. */
interface Row {
  readonly key: string;
  readonly label: string;
  readonly group: string;
  readonly icon: LucideIcon;
  /** What is said beside the label. */
  readonly note?: ReactNode;
  readonly choose: () => void;
}

/** A field that finds entries, pages and what can be done, all by their names. */
export function Palette(props: Props) {
  const { content, onClose } = props;
  const { palette: texts } = useTexts();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const named = useNamed(props);
  const entries = useEntries(content, text);
  const searches = useSearches(content, text);
  const rows = text === '' ? named : [...fitting(named, text, ({ label }) => label), ...entries.rows, ...searches];
  const { listbox, listId, activeId, press } = useOptions({
    label: texts.results,
    isOpen: true,
    search: text,
    options: rows.map(({ key, label, group, icon: Icon, note, choose }) => ({
      key,
      group,
      choose,
      content: (
        <>
          <Icon size={16} aria-hidden="true" />
          <span className="grow" dir="auto">
            {label}
          </span>
          {note}
        </>
      ),
    })),
    onClose,
  });
  return (
    <Dialog title={texts.title} onClose={onClose} className="palette">
      <div className="field">
        <Search size={18} aria-hidden="true" />
        <input
          autoFocus
          role="combobox"
          aria-label={texts.label}
          placeholder={texts.label}
          aria-autocomplete="list"
          aria-expanded={listId !== undefined}
          aria-controls={listId}
          aria-activedescendant={activeId}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (!event.nativeEvent.isComposing) press(event);
          }}
        />
      </div>
      {/* A press would take the focus from the field. */}
      <div className="choices" aria-busy={entries.isPending} onMouseDown={(event) => event.preventDefault()}>
        {listbox}
      </div>
      <p className={rows.length > 0 && entries.isComplete ? 'hidden' : 'hint'} role="status">
        {!entries.isPending && (rows.length === 0 ? texts.none : text !== '' && texts.found(rows.length))}
        {!entries.isComplete && ` ${texts.unread}`}
      </p>
    </Dialog>
  );
}

/**
 * What is there without a search: pages first, as Enter must change nothing before something is typed, commands of the
 * page, forms of new entries, and what the editor itself offers.
 */
function useNamed({ content, commands, onKeys, onTheme, onLanguage, onEnd }: Props): readonly Row[] {
  const texts = useTexts();
  const { palette } = texts;
  const keysOf = useKeysOf();
  const [, navigate] = useLocation();
  const keysBeside = (shortcut: Command['shortcut']): ReactNode =>
    shortcut && <kbd aria-hidden="true">{keysOf(shortcut).written}</kbd>;
  const placeOf = (label: string, address: string, icon: LucideIcon, group: string): Row => ({
    key: `go ${group} ${address}`,
    label,
    group,
    icon,
    choose: () => navigate(address),
  });
  const setting = (name: string, value: string, icon: LucideIcon, choose: () => void): Row => {
    const label = palette.setting(name, value);
    return { key: label, label, group: palette.editor, icon, choose };
  };
  return [
    placeOf(texts.home.title, '/', House, palette.places),
    ...groupsOf(texts, content).flatMap(({ places }) =>
      places.map(({ address, label, icon }) => placeOf(label, address, icon, palette.places)),
    ),
    ...commands.map(({ label, shortcut, run }, index) => ({
      key: `command ${index}`,
      label,
      group: palette.here,
      icon: SquarePlay,
      note: keysBeside(shortcut),
      // When the focus is back where it was.
      choose: () => void requestAnimationFrame(run),
    })),
    ...content.contentTypes
      .filter((type) => isListed(type) && type.kind === 'collectionType' && type.actions.includes('create'))
      .map((type) => placeOf(texts.form.newOf(type.entryName), newAddress(type, undefined), Plus, palette.create)),
    placeOf(texts.account.title, '/account', UserRound, palette.editor),
    {
      key: 'keys',
      label: texts.keys.labels.keys,
      group: palette.editor,
      icon: Keyboard,
      note: keysBeside('keys'),
      choose: onKeys,
    },
    ...themes.map((theme) => setting(texts.account.colors, texts.account.themes[theme], Paint, () => onTheme(theme))),
    ...languageNames.map(([code, name]) => setting(texts.shell.language, name, Languages, () => onLanguage(code))),
    { key: 'end', label: texts.account.logOut, group: palette.editor, icon: LogOut, choose: onEnd },
  ];
}

/** The entries whose title contains a text, under the names of their types. */
function useEntries(content: Content, text: string) {
  const texts = useTexts();
  const [, navigate] = useLocation();
  const { found, ...state } = useFound(content, text);
  const rows = found.map(({ type, entry }): Row => {
    const { title, isDraft } = linkOf(content, [type.uid], { ...entry });
    const locale = content.locales.find(({ code }) => code === entry.attributes['locale']);
    return {
      key: `${type.uid} ${entry.id}`,
      label: title,
      group: type.listName,
      icon: FileText,
      note: (
        <>
          {locale !== undefined && content.locales.length > 1 && <span className="quiet-text">{locale.name}</span>}
          {isDraft === true && <span className="tag">{texts.common.draft}</span>}
        </>
      ),
      choose: () => navigate(formAddress(type, entry.id)),
    };
  });
  return { ...state, rows };
}

/** Lists and the library, searched for a text in all that is written there. */
function useSearches(content: Content, text: string): readonly Row[] {
  const { palette, shell } = useTexts();
  const [, navigate] = useLocation();
  const rowOf = (list: string, address: string): Row => ({
    key: `search ${address}`,
    label: palette.textIn(text, list),
    group: palette.searchIn,
    icon: Search,
    choose: () => navigate(address),
  });
  const state = formatListState({ ...firstPage, search: text });
  return [
    ...searchedTypes(content.contentTypes).map(({ path, listName }) => rowOf(listName, `/content/${path}?${state}`)),
    ...(content.files.find ? [rowOf(shell.files, libraryAddress({ ...firstState, text }))] : []),
  ];
}
