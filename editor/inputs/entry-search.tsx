import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import { ComboBox, ComboBoxStateContext, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox';
import { readPage } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { RelatedContext, useForm } from '../form/form-context.js';
import { useTexts } from '../language/language.js';
import { isListed, titleAttribute, type ContentType } from '../model/schema.js';
import { linkFields } from '../model/selection.js';
import { linkOf, type Link } from '../model/values.js';
import { messageOf } from '../shell/notices.js';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly type: ContentType;
  readonly exclude: readonly Link[];
  readonly onChoose: (link: Link) => void;
}

const MAX_RESULTS = 10;

/** The key of the choice that creates an entry. */
const NEW = 'new';

/** A field with a list of the entries that match it, and a new one as the last choice. */
export function EntrySearch({ label, placeholder, type, exclude, onChoose }: Props) {
  const texts = useTexts();
  const { content, locale } = useForm();
  const create = use(RelatedContext);
  const { api } = useSession();
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
  return (
    <ComboBox
      className="search"
      aria-label={label}
      value={null}
      inputValue={text}
      onInputChange={setText}
      onOpenChange={setOpen}
      onChange={(key) => {
        // The list was closed without a choice.
        if (key === null) return;
        const link = results.find(({ id }) => id === key);
        if (link !== undefined) onChoose(link);
        else
          create({
            type,
            locale: type.localized ? locale : undefined,
            title: text.trim(),
            onCreated: onChoose,
          });
        setText('');
      }}
      menuTrigger="focus"
      allowsEmptyCollection
      // The service has searched.
      defaultFilter={() => true}
    >
      <Input
        placeholder={placeholder}
        onKeyDown={(event) => {
          // The form must not be sent.
          if (event.key === 'Enter' && !isOpen) event.preventDefault();
          // With a text the list would open again.
          if (event.key === 'Escape') setText('');
        }}
      />
      <FirstOption />
      <Popover className="choices" offset={2}>
        {data !== undefined && results.length === 0 && <p className="hint">{texts.common.noMatch}</p>}
        {error !== null && <p className="issue">{messageOf(error)}</p>}
        <ListBox>
          {results.map((link) => (
            <ListBoxItem key={link.id} id={link.id} textValue={link.title}>
              {link.title} <span className="quiet-text">#{link.id}</span>
              {link.isDraft === true && <span className="tag">{texts.common.draft}</span>}
            </ListBoxItem>
          ))}
          {mayCreate && (
            <ListBoxItem id={NEW} textValue={texts.inputs.newOne(type.entryName)}>
              <Plus size={16} aria-hidden="true" /> {texts.inputs.newOne(type.entryName)}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Makes the first option the one that Enter takes, until another is chosen by the keys. */
function FirstOption() {
  const state = use(ComboBoxStateContext);
  useEffect(() => {
    if (state?.isOpen !== true || state.selectionManager.focusedKey !== null) return undefined;
    // The box itself unsets it after this effect, where the text has changed.
    const timer = setTimeout(() => state.selectionManager.setFocusedKey(state.collection.getFirstKey()));
    return () => clearTimeout(timer);
  });
  return null;
}
