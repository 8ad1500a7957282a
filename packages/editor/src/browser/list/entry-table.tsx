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
import { aheadOf, type Times } from '../api/schedules.js';
import { stateOf, type EntryState } from '../model/lists/bulk.js';
import { isSortable, isTimed } from '../model/lists/list-state.js';
import { labelOf, titleAttribute, type Attribute, type Content, type ContentType } from '../model/schema.js';
import type { Texts } from '../language/texts.js';
import { explainAll } from '../language/explain.js';
import { useTexts } from '../language/language.js';
import { dateOf, timeOf } from '../language/time-of.js';
import { FILE, linkOf, type Link as Related } from '../model/values.js';
import { Thumbnail } from '../files/thumbnail.js';

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
  const { content, type, columns: attributes, entries, schedules, isBusy, sort, onSort, selected, onSelect } = props;
  const texts = useTexts();
  const columns = useMemo(
    () => columnsOf(texts, content, type, attributes, schedules),
    [texts, content, type, attributes, schedules],
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
              <th>
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
              </th>
            )}
            {table.getFlatHeaders().map(({ id, column }) => {
              const order = column.getIsSorted();
              const title = String(column.columnDef.header);
              return (
                <th key={id} scope="col" aria-sort={order === false ? undefined : `${order}ending`}>
                  {column.getCanSort() ? (
                    <button type="button" className="quiet" onClick={column.getToggleSortingHandler()}>
                      {title} <span aria-hidden="true">{order === false ? '' : order === 'asc' ? '↑' : '↓'}</span>
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

function columnsOf(
  texts: Texts,
  content: Content,
  type: ContentType,
  attributes: readonly Attribute[],
  schedules: Props['schedules'],
): readonly Column[] {
  const title = titleAttribute(type);
  const number: Column = {
    id: 'id',
    header: texts.list.id,
    meta: { className: 'id' },
    accessorFn: ({ id }) => id,
    cell: ({ row: { original } }) =>
      title === undefined ? <Link href={formAddress(type, original.id)}>{original.id}</Link> : original.id,
  };
  const own = attributes.map((attribute): Column => ({
    id: attribute.name,
    header: labelOf(attribute.name),
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
  const changed: Column = {
    id: 'updatedAt',
    header: texts.list.changed,
    meta: { className: 'time' },
    accessorFn: ({ attributes: values }) => timeOf(texts, values['updatedAt']),
  };
  return [number, ...own, ...(type.draftAndPublish ? [status] : []), ...(isTimed(type) ? [changed] : [])];
}

export function Status({ state }: { readonly state: EntryState }) {
  const { common, publication } = useTexts();
  const names = { draft: common.draft, published: common.published, modified: publication.modified };
  return <span className={`tag ${state}`}>{names[state]}</span>;
}

export function Scheduled({ times, isDraft }: { readonly times: Times | undefined; readonly isDraft: boolean }) {
  const texts = useTexts();
  if (times === undefined) return undefined;
  const { publishAt, unpublishAt, error } = aheadOf(times, isDraft);
  return (
    <>
      {publishAt !== null && <p className="hint">{texts.schedule.publish(timeOf(texts, publishAt))}</p>}
      {unpublishAt !== null && <p className="hint">{texts.schedule.unpublish(timeOf(texts, unpublishAt))}</p>}
      {error !== undefined && <p className="issue">{explainAll(texts, error)}</p>}
    </>
  );
}

const lookOf = (attribute: Attribute, title: Attribute | undefined): Look =>
  attribute === title
    ? { className: 'name' }
    : attribute.type === 'media'
      ? { className: 'image' }
      : { 'data-label': labelOf(attribute.name), className: attribute.type.startsWith('date') ? 'time' : undefined };

interface CellProps {
  readonly content: Content;
  readonly attribute: Attribute;
  readonly value: unknown;
  /** That of the entry, if this is its title. */
  readonly link: string | undefined;
}

function Cell({ content, attribute, value, link }: CellProps) {
  const texts = useTexts();
  if (attribute.type === 'media') {
    const file = relatedIn(content, [FILE], value)?.file;
    return file && <Thumbnail file={file} />;
  }
  const text = textOf(texts, content, attribute, value);
  return link === undefined ? text : <Link href={link}>{text === '' ? texts.list.untitled : text}</Link>;
}

const MAX_LENGTH = 80;

function textOf(texts: Texts, content: Content, attribute: Attribute, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (attribute.type === 'relation') return relatedIn(content, attribute.targets, value)?.title ?? '';
  if (attribute.type === 'boolean') return value === true ? texts.common.yes : texts.common.no;
  if (attribute.type === 'datetime') return timeOf(texts, value);
  if (attribute.type === 'date') return dateOf(texts, value);
  const text = String(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** The first entry of a relation, or file. */
function relatedIn(content: Content, targets: readonly string[], value: unknown): Related | undefined {
  const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
  const [first] = (Array.isArray(data) ? data : [data]) as readonly (Readonly<Record<string, unknown>> | null)[];
  return first ? linkOf(content, targets, first) : undefined;
}
