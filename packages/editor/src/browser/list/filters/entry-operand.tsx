import { X } from 'lucide-react';
import { useState } from 'react';
import type { Counts } from '../../api/entries.js';
import { EntrySearch } from '../../inputs/entry-search.js';
import { useTexts } from '../../language/language.js';
import type { Content, ContentType } from '../../model/schema.js';
import type { Link } from '../../model/values.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly locale: string | undefined;
  /** Whether several can be chosen. */
  readonly isList: boolean;
  /** How many entries of the list each one has. */
  readonly counts: Counts | undefined;
}

/** Chooses the entries that a filter names; its form reads their ids. */
export function EntryOperand({ content, type, locale, isList, counts }: Props) {
  const texts = useTexts();
  const [links, setLinks] = useState<readonly Link[]>([]);
  return (
    <div className="operand">
      <span aria-hidden="true">{texts.filters.value}</span>
      <EntrySearch
        content={content}
        locale={locale}
        label={texts.filters.value}
        placeholder={texts.inputs.searchIn(type.listName)}
        type={type}
        exclude={links}
        counts={counts}
        onChoose={(link) => setLinks(isList ? [...links, link] : [link])}
      />
      {links.length > 0 && (
        <ul className="filters" aria-label={texts.filters.value}>
          {links.map((link) => (
            <li key={link.id}>
              <bdi>{link.title}</bdi>
              <button
                type="button"
                className="quiet"
                aria-label={texts.inputs.remove(link.title)}
                onClick={() => setLinks(links.filter(({ id }) => id !== link.id))}
              >
                <X size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input type="hidden" name="operand" value={links.map(({ id }) => id).join()} />
    </div>
  );
}
