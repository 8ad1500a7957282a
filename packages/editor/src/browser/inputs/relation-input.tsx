import { useState } from 'react';
import { Link as RouterLink } from 'wouter';
import { formAddress } from '../api/entries.js';
import { useForm } from '../form/form-context.js';
import { isListed, typeOf, type RelationAttribute } from '../model/schema.js';
import type { Link, Links } from '../model/values.js';
import { Choice } from './choice.js';
import { EntrySearch } from './entry-search.js';
import { useTexts } from '../language/language.js';
import { OrderedItem, useOrder } from './ordered-item.js';

interface Props {
  readonly attribute: RelationAttribute;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** Related entries: in their order, with a search for further ones. */
export function RelationInput({ attribute, value, onChange }: Props) {
  const texts = useTexts();
  const { content, locale } = useForm();
  const { items } = value;
  const targets = attribute.targets.flatMap((uid) => typeOf(content, uid) ?? []);
  const [chosen, setChosen] = useState(items[0]?.uid);
  const target = targets.find(({ uid }) => uid === chosen) ?? targets[0];
  const set = (next: readonly Link[]): void => onChange({ ...value, items: next });
  const order = useOrder(items, set);
  const isReplaced = !attribute.multiple && items.length > 0;
  return (
    <>
      <ol className="links">
        {items.map((link, index) => {
          const type = typeOf(content, link.uid);
          const path = type === undefined || !isListed(type) ? undefined : formAddress(type, link.id);
          return (
            <OrderedItem
              key={`${link.uid} ${link.id}`}
              order={order}
              index={index}
              label={link.title}
              className="row"
              // The order of a part of the list says nothing of the others.
              isMovable={items.length > 1 && !value.truncated && attribute.unordered !== true}
            >
              {(buttons) => (
                <>
                  <span className="grow">
                    {path === undefined ? link.title : <RouterLink href={path}>{link.title}</RouterLink>}
                    {attribute.morph && <span className="tag">{type?.entryName ?? link.uid}</span>}
                    {link.isDraft === true && <span className="tag">{texts.common.draft}</span>}
                  </span>
                  {buttons}
                </>
              )}
            </OrderedItem>
          );
        })}
      </ol>
      {value.truncated && <p className="hint">{texts.inputs.truncated}</p>}
      {targets.length > 1 && (
        <Choice
          label={texts.common.type}
          value={target?.uid ?? ''}
          onChange={setChosen}
          options={targets.map(({ uid, listName }) => ({ value: uid, label: listName }))}
        />
      )}
      {target !== undefined && (
        <EntrySearch
          key={target.uid}
          content={content}
          locale={locale}
          label={texts.inputs[isReplaced ? 'replace' : 'addTo'](attribute.label)}
          placeholder={isReplaced ? texts.inputs.replaceBy(target.entryName) : texts.inputs.searchIn(target.listName)}
          type={target}
          exclude={items}
          onChoose={(link) => set(attribute.multiple ? [...items, link] : [link])}
        />
      )}
    </>
  );
}
