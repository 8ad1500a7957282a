import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import type { Times } from '../api/schedules.js';
import { RelativeTime } from '../language/relative-time.js';
import { Scheduled, Status } from '../list/cell.js';
import type { Content, ContentType } from '../model/schema.js';
import { stateOf } from '../model/lists/bulk.js';
import { linkOf } from '../model/values.js';

export interface Recent {
  readonly type: ContentType;
  readonly entry: Entry;
  readonly times: Times | undefined;
}

/** Something that is said about an entry, and can be done with it. */
export interface About {
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

interface Props {
  readonly content: Content;
  readonly title: string;
  readonly kind: 'drafts' | 'scheduled' | 'changed' | 'review';
  readonly entries: readonly Recent[];
  /** In place of when it was changed. */
  readonly aboutOf?: (recent: Recent) => About | undefined;
}

/** A list of entries of several types; nothing if there are none. */
export function RecentEntries({ content, title, kind, entries, aboutOf }: Props) {
  if (entries.length === 0) return undefined;
  return (
    <section className="recent">
      <h2>{title}</h2>
      <ul>
        {entries.map((recent) => {
          const { type, entry, times } = recent;
          const about = aboutOf?.(recent);
          const state = stateOf(entry);
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
                {(kind !== 'drafts' || state !== 'draft') && isDraft !== undefined && <Status state={state} />}
              </div>
              <p className="hint">
                {places.join(' · ')}
                {kind !== 'scheduled' && (
                  <>
                    {places.length > 0 && ' · '}
                    {about === undefined ? <RelativeTime value={entry.attributes['updatedAt']} /> : about.text}
                  </>
                )}
              </p>
              {about?.action}
              <Scheduled times={times} isDraft={state !== 'published'} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
