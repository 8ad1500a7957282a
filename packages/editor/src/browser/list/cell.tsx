import { Link } from 'wouter';
import { aheadOf, refusalIn, type Times } from '../api/schedules.js';
import { Thumbnail } from '../files/thumbnail.js';
import { explainAll } from '../language/explain.js';
import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import { dateOf, timeOf } from '../language/time-of.js';
import type { EntryState } from '../model/lists/bulk.js';
import type { Attribute, Content } from '../model/schema.js';
import { FILE, linkOf, type Link as Related } from '../model/values.js';

/** Whether readers see an entry. */
export function Status({ state }: { readonly state: EntryState }) {
  const { common, publication } = useTexts();
  const names = { draft: common.draft, published: common.published, modified: publication.modified };
  return <span className={`tag ${state}`}>{names[state]}</span>;
}

/** When an entry is published or unpublished by itself. */
export function Scheduled({ times, isDraft }: { readonly times: Times | undefined; readonly isDraft: boolean }) {
  const texts = useTexts();
  if (times === undefined) return undefined;
  const ahead = aheadOf(times, isDraft);
  const { publishAt, unpublishAt } = ahead;
  const refusal = refusalIn(ahead);
  return (
    <>
      {publishAt !== null && <p className="hint">{texts.schedule.publish(timeOf(texts, publishAt))}</p>}
      {unpublishAt !== null && <p className="hint">{texts.schedule.unpublish(timeOf(texts, unpublishAt))}</p>}
      {refusal !== undefined && <p className="issue">{explainAll(texts, refusal)}</p>}
    </>
  );
}

interface CellProps {
  readonly content: Content;
  readonly attribute: Attribute;
  readonly value: unknown;
  /** That of the entry, if this is its title. */
  readonly link: string | undefined;
}

/** A value of an entry in a list, in the direction of its own language. */
export function Cell({ content, attribute, value, link }: CellProps) {
  const texts = useTexts();
  if (attribute.type === 'media') {
    const file = relatedIn(content, [FILE], value)?.file;
    return file && <Thumbnail file={file} />;
  }
  const text = textOf(texts, content, attribute, value);
  if (link !== undefined)
    return (
      <Link href={link} dir="auto">
        {text === '' ? texts.list.untitled : text}
      </Link>
    );
  return text === '' ? undefined : <bdi>{text}</bdi>;
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
