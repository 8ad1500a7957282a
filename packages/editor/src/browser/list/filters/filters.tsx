import { ListFilter, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTexts } from '../../language/language.js';
import { filterable, type Filter, type ListState } from '../../model/lists/list-state.js';
import type { Content, ContentType } from '../../model/schema.js';
import { FilterText } from './filter-text.js';
import { NewFilter } from './new-filter.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Of a localized list. */
  readonly locale: string | undefined;
  readonly state: ListState;
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** The conditions of a list, and a form that adds one. */
export function Filters({ content, type, locale, state, onChange }: Props) {
  const texts = useTexts();
  const { filters } = state;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const attributes = filterable(type);
  if (attributes.length === 0) return undefined;
  return (
    <>
      {filters.length > 0 && (
        <ul className="filters" aria-label={texts.filters.filters}>
          {filters.map((filter, index) => (
            <li key={`${filter.attribute}${filter.operator}${filter.operand}`}>
              <FilterText content={content} attributes={attributes} filter={filter}>
                {(text) => (
                  <>
                    <bdi>{text}</bdi>
                    <button
                      type="button"
                      className="quiet"
                      aria-label={texts.filters.remove(text)}
                      onClick={() => onChange(filters.toSpliced(index, 1))}
                    >
                      <X size={16} aria-hidden="true" />
                    </button>
                  </>
                )}
              </FilterText>
            </li>
          ))}
        </ul>
      )}
      <button ref={opener} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ListFilter size={16} aria-hidden="true" />
        {texts.filters.add}
      </button>
      {isOpen && (
        <NewFilter
          content={content}
          type={type}
          state={state}
          attributes={attributes}
          locale={locale}
          onAdd={(filter) => {
            setOpen(false);
            onChange([...filters, filter]);
          }}
          onClose={() => {
            setOpen(false);
            opener.current?.focus();
          }}
        />
      )}
    </>
  );
}
