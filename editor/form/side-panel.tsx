import { useState } from 'react';
import { Link } from 'wouter';
import { pathOf, type Entry } from '../api/entries.js';
import { Status, timeOf } from '../list/entry-table.js';
import { previewOf } from '../model/preview.js';
import type { Content, ContentType } from '../model/schema.js';
import { Dialog } from '../shell/dialog.js';
import { Schedule } from './schedule.js';

export type Publication = 'publish' | 'unpublish';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Of a new localization: the entry that it translates. */
  readonly entry: Entry | undefined;
  readonly isNew: boolean;
  readonly isDraft: boolean;
  readonly isBusy: boolean;
  readonly canSave: boolean;
  readonly mayWrite: boolean;
  readonly locale: string | undefined;
  readonly onPublish: (publication: Publication) => void;
  readonly onDelete: () => void;
}

/** The state of an entry, and what can be done with it. */
export function SidePanel(props: Props) {
  const { type, entry, isNew, isDraft, isBusy, mayWrite } = props;
  const [isDeleting, setDeleting] = useState(false);
  const published = type.attributes.find(({ name }) => name === 'publishedAt');
  const mayPublish = mayWrite && published !== undefined && (isNew ? published.create : published.update);
  const preview = isNew || entry === undefined ? undefined : previewOf(type, entry);
  return (
    <aside aria-label="Entry">
      {type.draftAndPublish && (
        <p>
          <Status isDraft={isDraft} />
        </p>
      )}
      <div className="actions">
        <button
          type="submit"
          className={type.draftAndPublish && isDraft ? '' : 'primary'}
          disabled={!props.canSave || isBusy}
        >
          {isDraft ? 'Save draft' : 'Save'}
        </button>
        {type.draftAndPublish && isDraft && (
          <button
            type="button"
            className="primary"
            disabled={!mayPublish || isBusy}
            onClick={() => props.onPublish('publish')}
          >
            Publish
          </button>
        )}
        {type.draftAndPublish && !isDraft && (
          <button type="button" disabled={!mayPublish || isBusy} onClick={() => props.onPublish('unpublish')}>
            Unpublish
          </button>
        )}
        {!isNew && type.actions.includes('delete') && (
          <button type="button" className="danger" disabled={isBusy} onClick={() => setDeleting(true)}>
            Delete
          </button>
        )}
      </div>
      {preview !== undefined && (
        <a className="button" href={preview} target="_blank" rel="noreferrer">
          Preview what is saved
        </a>
      )}
      {!isNew && mayPublish && type.draftAndPublish && type.kind === 'collectionType' && (
        <Schedule path={pathOf(type, entry?.id)} isBusy={isBusy} />
      )}
      {!isNew && entry !== undefined && (
        <dl>
          <dt>ID</dt>
          <dd>{entry.id}</dd>
          {(['createdAt', 'updatedAt', 'publishedAt'] as const).map((name) => {
            const time = timeOf(entry.attributes[name] ?? undefined);
            return time === '' ? undefined : (
              <div key={name}>
                <dt>{labels[name]}</dt>
                <dd>{time}</dd>
              </div>
            );
          })}
        </dl>
      )}
      {type.localized && <Localizations {...props} />}
      {isDeleting && (
        <Dialog title="Delete this entry?" onClose={() => setDeleting(false)}>
          <p>It cannot be restored.</p>
          <div className="actions">
            <button type="button" onClick={() => setDeleting(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setDeleting(false);
                props.onDelete();
              }}
            >
              Delete
            </button>
          </div>
        </Dialog>
      )}
    </aside>
  );
}

const labels = { createdAt: 'Created', updatedAt: 'Changed', publishedAt: 'Published' };

/** The locales of an entry: links to its other localizations, and to forms for those that are missing. */
function Localizations({ content, type, entry, isNew, locale }: Props) {
  const others = localizationsOf(entry);
  const isSingle = type.kind === 'singleType';
  return (
    <section>
      <h2>Locales</h2>
      <ul className="locales">
        {content.locales.map(({ code, name }) => {
          const other = others.find((localization) => localization.locale === code);
          const target = isSingle ? `/content/${type.path}?locale=${code}` : `/content/${type.path}/${other?.id}`;
          const mayAdd = !isNew && !isSingle && type.actions.includes('createLocalization');
          return (
            <li key={code}>
              {code === locale ? (
                <strong>{name}</strong>
              ) : other !== undefined ? (
                <Link href={target}>{name}</Link>
              ) : mayAdd ? (
                <Link href={`/content/${type.path}/new?locale=${code}&source=${entry?.id}`}>Translate into {name}</Link>
              ) : (
                <span className="quiet-text">{name}: none</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface Localization {
  readonly id: number;
  readonly locale: unknown;
}

function localizationsOf(entry: Entry | undefined): readonly Localization[] {
  const related = entry?.attributes['localizations'] as { readonly data?: readonly Entry[] } | undefined;
  return (related?.data ?? []).map(({ id, attributes }) => ({ id, locale: attributes['locale'] }));
}
