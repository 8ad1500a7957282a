import type { ReactNode } from 'react';
import type { Entry } from '../api/entries.js';
import { useWriters } from '../api/writers.js';
import type { EntryState } from '../model/lists/bulk.js';
import type { Content, ContentType } from '../model/schema.js';
import { Localizations, type Localization } from './localizations/localizations.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { Schedule } from './schedule.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Of a new localization: the entry that it translates. */
  readonly entry: Entry | undefined;
  readonly isNew: boolean;
  readonly state: EntryState;
  readonly isBusy: boolean;
  /** How many values have to be corrected before the entry can be published. */
  readonly findMissing: () => number;
  readonly mayPublish: boolean;
  readonly locale: string | undefined;
  /** The localization beside the form. */
  readonly beside: Localization | undefined;
  readonly onCompare: (localization: Localization | undefined) => void;
  /** The fields beside those in the middle. */
  readonly children: ReactNode;
}

/** Further fields of an entry, its languages, and when it is and was published. */
export function SidePanel(props: Props) {
  const { type, entry, isNew, state, isBusy, mayPublish, children } = props;
  return (
    <aside className="side" aria-label={useTexts().form.entry}>
      {children}
      <div className="card">
        {type.localized && <Localizations {...props} />}
        {!isNew && entry !== undefined && (
          <>
            {type.draftAndPublish && mayPublish && (
              <Schedule
                path={`${type.path}/${entry.id}`}
                version={entry.attributes['updatedAt']}
                isDraft={state !== 'published'}
                isBusy={isBusy}
                findMissing={props.findMissing}
              />
            )}
            <History type={type} entry={entry} />
          </>
        )}
      </div>
    </aside>
  );
}

/** When an entry was written, and by whom for those who may change it. */
function History({ type, entry }: { readonly type: ContentType; readonly entry: Entry }) {
  const texts = useTexts();
  const writers = useWriters(type, entry);
  const rows = [
    ['createdAt', writers?.createdBy],
    ['updatedAt', writers?.updatedBy],
    ['publishedAt', undefined],
  ] as const;
  return (
    <dl>
      <dt>{texts.list.id}</dt>
      <dd>{entry.id}</dd>
      {rows
        .filter(([name]) => typeof entry.attributes[name] === 'string')
        .map(([name, writer]) => (
          <div key={name}>
            <dt>{texts.form.times[name]}</dt>
            <dd>
              <RelativeTime value={entry.attributes[name]} />
              {typeof writer === 'string' && ` ${texts.form.by(writer)}`}
            </dd>
          </div>
        ))}
    </dl>
  );
}
