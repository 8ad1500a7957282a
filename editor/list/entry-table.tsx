import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import { aheadOf, type Times } from '../api/schedules.js';
import { isSortable, isTimed } from '../model/list-state.js';
import { labelOf, titleAttribute, type Attribute, type Content, type ContentType } from '../model/schema.js';
import type { Texts } from '../language/texts.js';
import { explain } from '../language/explain.js';
import { useTexts } from '../language/language.js';
import { dateOf, timeOf } from '../language/time-of.js';
import { FILE, linkOf, type Link as Related } from '../model/values.js';
import { Thumbnail } from '../files/thumbnail.js';

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

export function EntryTable(props: Props) {
  const { content, type, columns, entries, schedules, isBusy, sort, onSort, selected, onSelect } = props;
  const texts = useTexts();
  const title = titleAttribute(type);
  const hasTime = isTimed(type);
  const [sortedBy = '', direction = 'asc'] = sort.split(':');
  const header = (name: string, label: string, sortable: boolean) => {
    const isSorted = sortedBy === name;
    const order = isSorted ? (direction === 'desc' ? 'descending' : 'ascending') : undefined;
    return (
      <th key={name} scope="col" aria-sort={order}>
        {sortable ? (
          <button
            type="button"
            className="quiet"
            onClick={() => onSort(`${name}:${isSorted && direction === 'asc' ? 'desc' : 'asc'}`)}
          >
            {label} <span aria-hidden="true">{order === undefined ? '' : order === 'ascending' ? '↑' : '↓'}</span>
          </button>
        ) : (
          label
        )}
      </th>
    );
  };
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
                  checked={selected.size === entries.length}
                  onChange={({ target }) => onSelect(target.checked ? entries.map(({ id }) => id) : [])}
                />
              </th>
            )}
            {header('id', texts.list.id, true)}
            {columns.map((attribute) => header(attribute.name, labelOf(attribute.name), isSortable(attribute)))}
            {type.draftAndPublish && <th scope="col">{texts.list.status}</th>}
            {hasTime && header('updatedAt', texts.list.changed, true)}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const { id, attributes } = entry;
            const link = formAddress(type, id);
            return (
              <tr key={id}>
                {selected !== undefined && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={texts.list.select(linkOf(content, [type.uid], { ...entry }).title)}
                      checked={selected.has(id)}
                      onChange={({ target }) =>
                        onSelect(target.checked ? [...selected, id] : [...selected].filter((other) => other !== id))
                      }
                    />
                  </td>
                )}
                <td className="id">{title === undefined ? <Link href={link}>{id}</Link> : id}</td>
                {columns.map((attribute) => (
                  <td key={attribute.name} {...kindOf(attribute, title)}>
                    <Cell
                      content={content}
                      attribute={attribute}
                      value={attributes[attribute.name]}
                      link={attribute === title ? link : undefined}
                    />
                  </td>
                ))}
                {type.draftAndPublish && (
                  <td className="status">
                    <Status isDraft={attributes['publishedAt'] === null} />
                    <Scheduled times={schedules?.get(id)} isDraft={attributes['publishedAt'] === null} />
                  </td>
                )}
                {hasTime && <td className="time">{timeOf(texts, attributes['updatedAt'])}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Status({ isDraft }: { readonly isDraft: boolean }) {
  const { draft, published } = useTexts().common;
  return <span className={isDraft ? 'tag' : 'tag published'}>{isDraft ? draft : published}</span>;
}

export function Scheduled({ times, isDraft }: { readonly times: Times | undefined; readonly isDraft: boolean }) {
  const texts = useTexts();
  if (times === undefined) return undefined;
  const { publishAt, unpublishAt, error } = aheadOf(times, isDraft);
  return (
    <>
      {publishAt !== null && <p className="hint">{texts.schedule.publish(timeOf(texts, publishAt))}</p>}
      {unpublishAt !== null && <p className="hint">{texts.schedule.unpublish(timeOf(texts, unpublishAt))}</p>}
      {error !== undefined && <p className="issue">{explain(texts, error)}</p>}
    </>
  );
}

/** On a phone a row is a card: its title is above, and short values need the name of their column. */
const kindOf = (attribute: Attribute, title: Attribute | undefined): object =>
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
