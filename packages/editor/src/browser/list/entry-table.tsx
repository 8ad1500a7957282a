import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  functionalUpdate,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import type { Times } from '../api/schedules.js';
import { stateOf } from '../model/lists/bulk.js';
import { scalarTypes } from '../model/attribute-types.js';
import { localizationsOf } from '../form/localizations/localizations.js';
import { isTranslated } from '../model/lists/list-query.js';
import { isSortable, isTimed } from '../model/lists/list-state.js';
import { isScalar, titleAttribute, type Attribute, type Content, type ContentType } from '../model/schema.js';
import type { Texts } from '../language/texts.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { linkOf } from '../model/values.js';
import { Cell, Scheduled, Status } from './cell.js';

/** On a phone a row is a card: its title is above, and short values need the name of their column. */
interface Look {
  readonly className?: string | undefined;
  readonly 'data-label'?: string;
}

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature, columnMeta: metaHelper<Look>() });

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly columns: readonly Attribute[];
  /** Ids are in the last column, or, where entries have no title, in the first one. */
  readonly showsIds: boolean;
  readonly entries: readonly Entry[];
  /** Of those that are to be published or unpublished. */
  readonly schedules: ReadonlyMap<number, Times> | undefined;
  readonly isBusy: boolean;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** Undefined: nothing can be done with several entries. */
  readonly selected: ReadonlySet<number> | undefined;
  readonly onSelect: (ids: readonly number[]) => void;
}

/** A list of the service, which sorts it. With Shift, a box selects all entries since the last one. */
export function EntryTable(props: Props) {
  const { content, type, columns: attributes, showsIds, entries, schedules, isBusy } = props;
  const { sort, onSort, selected, onSelect } = props;
  const texts = useTexts();
  const columns = useMemo(
    () => columnsOf({ texts, content, type, attributes, showsIds, schedules }),
    [texts, content, type, attributes, showsIds, schedules],
  );
  const [sortedBy = '', direction] = sort.split(':');
  const sorting = [{ id: sortedBy, desc: direction === 'desc' }];
  const rowSelection = Object.fromEntries([...(selected ?? [])].map((id) => [id, true as const]));
  const table = useTable({
    features,
    columns,
    data: entries,
    getRowId: ({ id }) => String(id),
    state: { sorting, rowSelection },
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, sorting);
      if (next !== undefined) onSort(`${next.id}:${next.desc ? 'desc' : 'asc'}`);
    },
    onRowSelectionChange: (change) => onSelect(Object.keys(functionalUpdate(change, rowSelection)).map(Number)),
  });
  return (
    <div className="scroll" role="region" aria-label={texts.list.table} tabIndex={0}>
      <table className="entries" aria-busy={isBusy}>
        <thead>
          <tr>
            {selected !== undefined && (
              <th className="all">
                <input
                  type="checkbox"
                  aria-label={texts.list.selectAll}
                  checked={table.getIsAllRowsSelected()}
                  ref={(box) => {
                    if (box !== null)
                      box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
                  }}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
                <span aria-hidden="true"> {texts.list.selectAll}</span>
              </th>
            )}
            {table.getFlatHeaders().map(({ id, column }) => {
              const order = column.getIsSorted();
              const title = String(column.columnDef.header);
              return (
                <th
                  key={id}
                  scope="col"
                  className={column.columnDef.meta?.className}
                  aria-sort={order === false ? undefined : `${order}ending`}
                >
                  {column.getCanSort() ? (
                    <button type="button" className="quiet" onClick={column.getToggleSortingHandler()}>
                      {title} {order !== false && <Arrow isUp={order === 'asc'} />}
                    </button>
                  ) : (
                    title
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {selected !== undefined && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={texts.list.select(linkOf(content, [type.uid], { ...row.original }).title)}
                    checked={row.getIsSelected()}
                    onChange={row.getToggleSelectedHandler()}
                  />
                </td>
              )}
              {row.getAllCells().map((cell) => (
                <td key={cell.id} {...cell.column.columnDef.meta}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Column = ColumnDef<typeof features, Entry>;

interface Shown extends Pick<Props, 'content' | 'type' | 'showsIds' | 'schedules'> {
  readonly texts: Texts;
  readonly attributes: readonly Attribute[];
}

function columnsOf({ texts, content, type, attributes, showsIds, schedules }: Shown): readonly Column[] {
  const title = titleAttribute(type);
  const number: Column = {
    id: 'id',
    header: texts.list.id,
    meta: title === undefined ? { className: 'name' } : { className: 'number', 'data-label': texts.list.id },
    accessorFn: ({ id }) => id,
    cell: ({ row: { original } }) =>
      title === undefined ? <Link href={formAddress(type, original.id)}>{original.id}</Link> : original.id,
  };
  const own = attributes.map((attribute): Column => ({
    id: attribute.name,
    header: attribute.label,
    meta: lookOf(attribute, title),
    accessorFn: ({ attributes: values }) => values[attribute.name],
    enableSorting: isSortable(attribute),
    cell: ({ getValue, row: { original } }) => (
      <Cell
        content={content}
        attribute={attribute}
        value={getValue()}
        link={attribute === title ? formAddress(type, original.id) : undefined}
      />
    ),
  }));
  const status: Column = {
    id: 'status',
    header: texts.list.status,
    meta: { className: 'status' },
    cell: ({ row: { original } }) => {
      const isDraft = original.attributes['publishedAt'] === null;
      return (
        <>
          <Status state={stateOf(original)} />
          <Scheduled times={schedules?.get(original.id)} isDraft={isDraft} />
        </>
      );
    },
  };
  const translations: Column = {
    id: 'localizations',
    header: texts.list.translations,
    meta: { 'data-label': texts.list.translations },
    enableSorting: false,
    cell: ({ row: { original } }) =>
      localizationsOf(original, false)
        .map(({ locale }) => locale)
        .toSorted()
        .join(', '),
  };
  const changed: Column = {
    id: 'updatedAt',
    header: texts.list.changed,
    meta: { className: 'time' },
    accessorFn: ({ attributes: values }) => values['updatedAt'],
    cell: ({ getValue }) => <RelativeTime value={getValue()} />,
  };
  return [
    ...(title === undefined ? [number] : []),
    ...own,
    ...(isTranslated(content, type) ? [translations] : []),
    ...(type.draftAndPublish ? [status] : []),
    ...(isTimed(type) ? [changed] : []),
    ...(title !== undefined && showsIds ? [number] : []),
  ];
}

function lookOf(attribute: Attribute, title: Attribute | undefined): Look {
  if (attribute === title) return { className: 'name' };
  if (attribute.type === 'media') return { className: 'image' };
  return { 'data-label': attribute.label, className: classOf(attribute) };
}

function classOf(attribute: Attribute): string | undefined {
  if (!isScalar(attribute)) return 'words';
  const { value } = scalarTypes[attribute.type];
  if (value === 'number' || value === 'digits') return 'number';
  if (value === 'day' || value === 'instant') return 'time';
  return value === 'text' && attribute.type !== 'enumeration' ? 'words' : undefined;
}

/** Shows which column a list is sorted by. */
function Arrow({ isUp }: { readonly isUp: boolean }) {
  const Icon = isUp ? ArrowUp : ArrowDown;
  return <Icon size={14} aria-hidden="true" />;
}
