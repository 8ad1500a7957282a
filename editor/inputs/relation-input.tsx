import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { use, useId, useState, type KeyboardEvent } from 'react';
import { Link as RouterLink } from 'wouter';
import { formAddress, readPage } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { RelatedContext, useForm } from '../form/form-context.js';
import { linkFields } from '../model/selection.js';
import {
  isListed,
  labelOf,
  titleAttribute,
  typeOf,
  type ContentType,
  type RelationAttribute,
} from '../model/schema.js';
import { linkOf, type Link, type Links } from '../model/values.js';
import { messageOf } from '../shell/notices.js';
import { moved, useDragOrder } from './drag-order.js';
import { useTexts } from '../language/language.js';
import { OrderButtons } from './order-buttons.js';

interface Props {
  readonly attribute: RelationAttribute;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** Related entries: in their order, with a search for further ones. */
export function RelationInput({ attribute, value, onChange }: Props) {
  const texts = useTexts();
  const { content } = useForm();
  const { items } = value;
  const targets = attribute.targets.flatMap((uid) => typeOf(content, uid) ?? []);
  const [chosen, setChosen] = useState(items[0]?.uid);
  const target = targets.find(({ uid }) => uid === chosen) ?? targets[0];
  const set = (next: readonly Link[]): void => onChange({ ...value, items: next });
  const drag = useDragOrder(items, 'row', set);
  const isReplaced = !attribute.multiple && items.length > 0;
  return (
    <>
      <ol className="links">
        {items.map((link, index) => {
          const type = typeOf(content, link.uid);
          const path = type === undefined || !isListed(type) ? undefined : formAddress(type, link.id);
          return (
            <li key={`${link.uid} ${link.id}`} {...drag(index).item}>
              <span className="grow">
                {path === undefined ? link.title : <RouterLink href={path}>{link.title}</RouterLink>}
                {attribute.morph && <span className="tag">{type?.entryName ?? link.uid}</span>}
                {link.isDraft === true && <span className="tag">{texts.common.draft}</span>}
              </span>
              <OrderButtons
                handle={drag(index).handle}
                label={link.title}
                index={index}
                // The order of a part of the list says nothing of the others.
                count={value.truncated || attribute.unordered === true ? 1 : items.length}
                onMove={(to) => set(moved(items, index, to))}
                onRemove={() => set(items.toSpliced(index, 1))}
              />
            </li>
          );
        })}
      </ol>
      {value.truncated && <p className="hint">{texts.inputs.truncated}</p>}
      {targets.length > 1 && (
        <label>
          {texts.common.type}
          <select value={target?.uid} onChange={(event) => setChosen(event.target.value)}>
            {targets.map(({ uid, listName }) => (
              <option key={uid} value={uid}>
                {listName}
              </option>
            ))}
          </select>
        </label>
      )}
      {target !== undefined && (
        <EntrySearch
          key={target.uid}
          label={texts.inputs[isReplaced ? 'replace' : 'addTo'](labelOf(attribute.name))}
          placeholder={isReplaced ? texts.inputs.replaceBy(target.entryName) : texts.inputs.searchIn(target.listName)}
          type={target}
          exclude={items}
          onChoose={(link) => set(attribute.multiple ? [...items, link] : [link])}
        />
      )}
    </>
  );
}

const MAX_RESULTS = 10;

/** A field with a list of entries that match it, for mouse and keyboard. */
function EntrySearch(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly type: ContentType;
  readonly exclude: readonly Link[];
  readonly onChoose: (link: Link) => void;
}) {
  const texts = useTexts();
  const { content, locale } = useForm();
  const create = use(RelatedContext);
  const { api } = useSession();
  const { type, exclude } = props;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const id = useId();
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
    .map(({ id: entry, attributes }) => linkOf(content, [type.uid], { id: entry, attributes }))
    .filter((link) => !exclude.some((other) => other.id === link.id && other.uid === link.uid))
    .slice(0, MAX_RESULTS);
  const choose = (link: Link | undefined): void => {
    if (link === undefined) return;
    props.onChoose(link);
    setText('');
    setActive(0);
    setOpen(false);
  };
  const mayCreate = isListed(type) && type.kind === 'collectionType' && type.actions.includes('create');
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      // A dialog around it stays open.
      event.preventDefault();
      setOpen(false);
    }
    if (event.key === 'Enter') {
      // The form must not be sent.
      event.preventDefault();
      if (isOpen) choose(results[active]);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setOpen(true);
    setActive(Math.max(0, Math.min(results.length - 1, active + (isOpen ? step : 0))));
  };
  return (
    <div className="row">
      <div className="search grow">
        <input
          type="text"
          role="combobox"
          aria-label={props.label}
          placeholder={props.placeholder}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && results.length > 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={press}
        />
        <ul role="listbox" id={id} aria-label={props.label} hidden={!isOpen}>
          {results.map((link, index) => (
            // The keys of the text field choose.
            <li
              key={link.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(link);
              }}
            >
              {link.title} <span className="quiet-text">#{link.id}</span>
              {link.isDraft === true && <span className="tag">{texts.common.draft}</span>}
            </li>
          ))}
        </ul>
        {isOpen && data !== undefined && results.length === 0 && <p className="hint">{texts.common.noMatch}</p>}
        {isOpen && error !== null && <p className="issue">{messageOf(error)}</p>}
      </div>
      {mayCreate && (
        <button
          type="button"
          onClick={() =>
            create({
              type,
              locale: type.localized ? locale : undefined,
              title: text.trim(),
              onCreated: choose,
            })
          }
        >
          <Plus size={16} aria-hidden="true" /> {texts.inputs.newOne(type.entryName)}
        </button>
      )}
    </div>
  );
}
