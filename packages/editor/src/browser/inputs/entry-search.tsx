import { messageOf } from '../language/message-of.js';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { readPage, type Counts } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { RelatedContext } from '../form/form-context.js';
import { useTexts } from '../language/language.js';
import { isListed, titleAttribute, type Content, type ContentType } from '../model/schema.js';
import { linkFields } from '../model/selection.js';
import { linkOf, type Link } from '../model/values.js';

import { useOptionList, type Option } from './option-list.js';

interface Props {
  readonly content: Content;
  /** Of localized entries; undefined: the default one. */
  readonly locale: string | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly type: ContentType;
  readonly exclude: readonly Link[];
  readonly onChoose: (link: Link) => void;
  /** How many entries of a list each one has, by its id. */
  readonly counts?: Counts | undefined;
}

const MAX_RESULTS = 10;

/** A field with a list of the entries that match it, and in forms a new one as the last choice. */
export function EntrySearch({ content, locale, label, placeholder, type, exclude, onChoose, counts }: Props) {
  const texts = useTexts();
  const create = use(RelatedContext);
  const { api } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const title = titleAttribute(type)?.name;
  const query = {
    ...linkFields(type),
    ...(title !== undefined && { sort: title }),
    ...(title !== undefined && text !== '' && { filters: { [title]: { $containsi: text } } }),
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(type.localized && locale !== undefined && { locale }),
    ...(type.plain
      ? { limit: MAX_RESULTS + exclude.length }
      : { pagination: { pageSize: MAX_RESULTS + exclude.length, withCount: false } }),
  };
  const { data, error } = useQuery({
    queryKey: ['list', type.path, query],
    enabled: isOpen,
    queryFn: () => readPage(api, type, query),
  });
  const results = (data?.entries ?? [])
    .map(({ id, attributes }) => linkOf(content, [type.uid], { id, attributes }))
    .filter((link) => !exclude.some((other) => other.id === link.id && other.uid === link.uid))
    .slice(0, MAX_RESULTS);
  // After the results: until then it would be the first option, which Enter takes.
  const mayCreate =
    data !== undefined && isListed(type) && type.kind === 'collectionType' && type.actions.includes('create');
  const countOf = ({ id }: Link): number | undefined => counts?.(String(id));
  const options: readonly Option[] = [
    ...results.map((link) => ({
      key: String(link.id),
      content: (
        <>
          {link.title} <span className="quiet-text">#{link.id}</span>
          {countOf(link) !== undefined && <span className="quiet-text"> · {countOf(link)}</span>}
          {link.isDraft === true && <span className="tag">{texts.common.draft}</span>}
        </>
      ),
      choose: () => {
        setText('');
        onChoose(link);
      },
    })),
    ...(mayCreate && create !== undefined
      ? [
          {
            key: 'new',
            content: (
              <>
                <Plus size={16} aria-hidden="true" /> {texts.inputs.newOne(type.entryName)}
              </>
            ),
            choose: () => {
              setText('');
              create({ type, locale: type.localized ? locale : undefined, title: text.trim(), onCreated: onChoose });
            },
          },
        ]
      : []),
  ];
  const { list, listId, activeId, press } = useOptionList({
    label,
    isOpen,
    search: text,
    options,
    hint:
      error !== null ? (
        <p className="issue">{messageOf(texts, error)}</p>
      ) : (
        data !== undefined && results.length === 0 && <p className="hint">{texts.common.noMatch}</p>
      ),
    onClose: () => setOpen(false),
    triggerRef: field,
  });
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={listId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || press(event)) return;
          if (event.key === 'ArrowDown') setOpen(true);
          // The form must not be sent.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {list}
    </>
  );
}
