import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Choice } from '../inputs/choice.js';
import { useTexts } from '../language/language.js';
import { isTranslated } from '../model/lists/list-query.js';
import { sortableColumns, sortOf, type ListState, type View } from '../model/lists/list-state.js';
import { labelIn, type Attribute, type Content, type ContentType } from '../model/schema.js';
import { ColumnChoice } from './column-choice.js';
import { ExportList } from './export-list.js';
import { Filters } from './filters/filters.js';
import { SearchField } from './search-field.js';
import { ViewChoice } from './views.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly state: ListState;
  /** The locale that is shown. */
  readonly locale: string;
  readonly columns: readonly Attribute[];
  readonly chosen: readonly string[] | undefined;
  readonly views: readonly View[];
  readonly shown: View;
  readonly onChange: (changes: Partial<ListState>) => void;
  readonly onChoose: (columns: readonly string[] | undefined) => void;
  readonly onKeep: (views: readonly View[]) => void;
}

/**
 * What a list is searched, filtered and sorted by. A phone shows the search, and the others when they are asked for.
 */
export function ListToolbar(props: Props) {
  const { content, type, state, locale, columns, chosen, views, shown, onChange, onChoose, onKeep } = props;
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const count = state.filters.length + (state.status === 'all' ? 0 : 1) + (state.isUntranslated ? 1 : 0);
  return (
    <div className="toolbar">
      <SearchField value={state.search} onChange={(search) => onChange({ search })} />
      <button
        type="button"
        className="more"
        aria-label={texts.list.options(count)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal size={16} aria-hidden="true" />
        {count > 0 && count}
      </button>
      {type.draftAndPublish && type.hidesDrafts !== true && (
        <Choice
          label={texts.list.status}
          value={state.status}
          onChange={(value) => onChange({ status: value as ListState['status'] })}
          options={[
            { value: 'all', label: texts.list.all },
            { value: 'published', label: texts.common.published },
            ...(type.workingCopies === true ? [{ value: 'modified', label: texts.publication.modified }] : []),
            { value: 'draft', label: texts.list.drafts },
          ]}
        />
      )}
      {type.localized && (
        <Choice
          label={texts.list.locale}
          value={locale}
          onChange={(value) => onChange({ locale: value })}
          options={content.locales.map(({ code, name }) => ({ value: code, label: name }))}
        />
      )}
      {isTranslated(content, type) && (
        <Choice
          label={texts.list.translations}
          value={state.isUntranslated ? 'none' : ''}
          onChange={(value) => onChange({ isUntranslated: value === 'none' })}
          options={[
            { value: '', label: texts.list.all },
            { value: 'none', label: texts.list.untranslated },
          ]}
        />
      )}
      <OrderChoice type={type} columns={columns} sort={state.sort} onChange={(sort) => onChange({ sort })} />
      <Filters
        content={content}
        type={type}
        locale={type.localized ? locale : undefined}
        state={state}
        onChange={(filters) => onChange({ filters })}
      />
      <ColumnChoice type={type} chosen={chosen} onChoose={onChoose} />
      <ViewChoice views={views} shown={shown} onChange={onKeep} />
      {/* Users are listed by offset: what changes meanwhile would be missed. */}
      {!type.plain && <ExportList matching={{ content, type, state }} />}
    </div>
  );
}

interface OrderProps {
  readonly type: ContentType;
  readonly columns: readonly Attribute[];
  readonly sort: string;
  readonly onChange: (sort: string) => void;
}

/** Where there are no headings to press: what the list is sorted by. */
function OrderChoice({ type, columns, sort, onChange }: OrderProps) {
  const texts = useTexts().list;
  const names = sortableColumns(type, columns).map((name) => ({
    name,
    label: name === 'updatedAt' ? texts.changed : labelIn(type, name),
  }));
  return (
    <Choice
      className="order"
      label={texts.order}
      value={sortOf(type, sort)}
      onChange={onChange}
      options={names.flatMap(({ name, label }) => [
        { value: `${name}:asc`, label: texts.ascending(label) },
        { value: `${name}:desc`, label: texts.descending(label) },
      ])}
    />
  );
}
