import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import type { Times } from '../api/schedules.js';
import { RelativeTime } from '../language/relative-time.js';
import { Scheduled, Status } from '../list/cell.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';

export interface Recent {
  readonly type: ContentType;
  readonly entry: Entry;
  readonly times: Times | undefined;
}

interface Props {
  readonly content: Content;
  readonly title: string;
  readonly kind: 'drafts' | 'scheduled' | 'changed';
  readonly entries: readonly Recent[];
}

/** A list of entries of several types; nothing if there are none. */
export function RecentEntries({ content, title, kind, entries }: Props) {
  if (entries.length === 0) return undefined;
  return (
    <section className="recent">
      <h2>{title}</h2>
      <ul>
        {entries.map(({ type, entry, times }) => {
          const { title: name, isDraft } = linkOf(content, [type.uid], { ...entry });
          const locale = content.locales.find(({ code }) => code === entry.attributes['locale']);
          const isSingle = type.kind === 'singleType';
          const address = `${formAddress(type, entry.id)}${isSingle && locale ? `?locale=${locale.code}` : ''}`;
          const places = [
            ...(isSingle ? [] : [type.entryName]),
            ...(locale !== undefined && content.locales.length > 1 ? [locale.name] : []),
          ];
          return (
            <li key={`${type.uid} ${entry.id}`}>
              <div className="name">
                <Link href={address} dir="auto" title={isSingle ? undefined : name}>
                  {isSingle ? type.entryName : name}
                </Link>
                {/* That drafts are drafts goes without saying. */}
                {kind !== 'drafts' && isDraft !== undefined && <Status state={isDraft ? 'draft' : 'published'} />}
              </div>
              <p className="hint">
                {places.join(' · ')}
                {kind !== 'scheduled' && (
                  <>
                    {places.length > 0 && ' · '}
                    <RelativeTime value={entry.attributes['updatedAt']} />
                  </>
                )}
              </p>
              <Scheduled times={times} isDraft={isDraft === true} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
