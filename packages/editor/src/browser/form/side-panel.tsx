import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { pathOf, type Entry } from '../api/entries.js';
import { useWriters } from '../api/writers.js';
import { Status } from '../list/cell.js';
import type { EntryState } from '../model/lists/bulk.js';
import { previewOf } from '../model/preview.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { CommandButton, useCommands } from '../shell/commands/commands.js';
import { ConfirmDeletion } from '../shell/confirm-deletion.js';
import { Localizations, type Localization } from './localizations.js';
import { ReferrerList, Referrers } from './referrers.js';
import { useTexts } from '../language/language.js';
import { timeOf } from '../language/time-of.js';
import { Schedule } from './schedule.js';
import type { Publication } from '../api/write-entry.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Of a new localization: the entry that it translates. */
  readonly entry: Entry | undefined;
  readonly isNew: boolean;
  readonly state: EntryState;
  /** Something is typed and not saved. */
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly canSave: boolean;
  readonly mayWrite: boolean;
  readonly locale: string | undefined;
  readonly onPublish: (publication: Publication) => void;
  /** Undefined: no new entry follows this one. */
  readonly onSaveThenNew: (() => void) | undefined;
  readonly onDelete: () => void;
  /** Discards what is prepared of a published entry. */
  readonly onDiscard: () => void;
  /** The localization beside the form. */
  readonly beside: Localization | undefined;
  readonly onCompare: (localization: Localization | undefined) => void;
  /** Shows the page of the entry beside the form; undefined: it has none, or it is shown. */
  readonly onPreview: (() => void) | undefined;
  /** Leads to the versions of the entry. */
  readonly versions: ReactNode;
  /** The fields beside those in the middle. */
  readonly children: ReactNode;
}

/** The state of an entry, further fields, and what can be done with it. */
export function SidePanel(props: Props) {
  const { type, entry, isNew, mayWrite } = props;
  const published = type.attributes.find(({ name }) => name === 'publishedAt');
  const mayPublish = mayWrite && published !== undefined && (isNew ? published.create : published.update);
  return (
    <aside className="side" aria-label={useTexts().form.entry}>
      <SaveActions {...props} mayPublish={mayPublish} />
      {props.children}
      <div className="card">
        {type.localized && <Localizations {...props} />}
        {!isNew && entry !== undefined && <EntryActions {...props} entry={entry} mayPublish={mayPublish} />}
      </div>
    </aside>
  );
}

type ActionProps = Props & { readonly mayPublish: boolean };

function SaveActions(props: ActionProps) {
  const { type, entry, isNew, state, isBusy, canSave, mayWrite, mayPublish, onPublish, onSaveThenNew } = props;
  const texts = useTexts();
  const isDraft = type.draftAndPublish && state === 'draft';
  const isPrepared = type.workingCopies === true && !isNew && !isDraft;
  const preview = isNew || entry === undefined ? undefined : previewOf(type, entry);
  const live = type.draftAndPublish ? texts.form.saveLive : texts.common.save;
  const save = isDraft || isPrepared ? texts.form.saveDraft : live;
  const publication = isDraft ? 'publish' : 'unpublish';
  useCommands(
    preview === undefined
      ? []
      : [{ label: texts.form.preview, run: () => void open(preview, '_blank', 'noopener,noreferrer') }],
  );
  return (
    <div className="card">
      {type.draftAndPublish && (
        <p>
          <Status state={state} />
        </p>
      )}
      {mayWrite && (
        <div className="actions">
          <CommandButton
            type="submit"
            shortcut="save"
            label={isBusy ? texts.common.saving : save}
            className={isDraft || isPrepared ? '' : 'primary'}
            disabled={!canSave || isBusy}
          />
          {isPrepared && (
            <CommandButton
              type="button"
              shortcut="publish"
              label={texts.publication.publishChanges}
              className="primary"
              disabled={!mayPublish || isBusy || !(props.isDirty || state === 'modified')}
              onClick={() => onPublish('publish')}
            />
          )}
          {type.draftAndPublish && !isPrepared && (
            <CommandButton
              type="button"
              {...(isDraft && { shortcut: 'publish' })}
              label={texts.form[publication]}
              className={isDraft ? 'primary' : ''}
              disabled={!mayPublish || isBusy}
              onClick={() => onPublish(publication)}
            />
          )}
          {onSaveThenNew !== undefined && (
            <CommandButton
              type="button"
              label={texts.form.saveAndNew}
              className="then-new"
              disabled={!canSave || isBusy}
              onClick={onSaveThenNew}
            />
          )}
        </div>
      )}
      {props.onPreview !== undefined && (
        <CommandButton type="button" label={texts.form.previewBeside} className="wide-only" onClick={props.onPreview} />
      )}
      {preview !== undefined && (
        <a className="button" href={preview} target="_blank" rel="noreferrer">
          {texts.form.preview}
        </a>
      )}
    </div>
  );
}

function EntryActions(props: ActionProps & { readonly entry: Entry }) {
  const { content, type, entry, locale, state, isBusy, mayPublish } = props;
  const texts = useTexts();
  const [isDeleting, setDeleting] = useState(false);
  const [isDiscarding, setDiscarding] = useState(false);
  const { title } = linkOf(content, [type.uid], { ...entry });
  const isInList = type.kind === 'collectionType';
  return (
    <>
      {isInList && type.draftAndPublish && mayPublish && (
        <Schedule
          path={pathOf(type, entry.id)}
          version={entry.attributes['updatedAt']}
          isDraft={state !== 'published'}
          isBusy={isBusy}
        />
      )}
      {state === 'modified' && (
        <button type="button" disabled={isBusy} onClick={() => setDiscarding(true)}>
          {texts.publication.discard}
        </button>
      )}
      {type.workingCopies === true && state !== 'draft' && props.mayWrite && (
        <button type="button" disabled={!mayPublish || isBusy} onClick={() => props.onPublish('unpublish')}>
          {texts.form.unpublish}
        </button>
      )}
      {isDiscarding && (
        <ConfirmDeletion
          title={texts.publication.askDiscard(title)}
          text={type.versions === true ? texts.publication.staysInVersions : texts.publication.staysPublished}
          keep={texts.publication.keepChanges}
          action={texts.publication.discardNow}
          onClose={() => setDiscarding(false)}
          onDelete={props.onDiscard}
        />
      )}
      <History type={type} entry={entry} />
      {props.versions}
      <Referrers content={content} type={type} id={entry.id} />
      {isInList && !type.plain && type.actions.includes('create') && (
        <Link
          className="button"
          href={`/content/${type.path}/new?copied=${entry.id}${type.localized ? `&locale=${locale}` : ''}`}
        >
          {texts.form.duplicate}
        </Link>
      )}
      {type.actions.includes('delete') && (
        <button type="button" className="danger" disabled={isBusy} onClick={() => setDeleting(true)}>
          {texts.common.delete}
        </button>
      )}
      {isDeleting && (
        <ConfirmDeletion
          title={texts.form.askDelete(title)}
          text={type.trash === undefined ? texts.common.cannotBeRestored : texts.trash.keeps(type.trash)}
          keep={texts.common.keepIt}
          onClose={() => setDeleting(false)}
          onDelete={props.onDelete}
        >
          <p className="hint">{texts.referrers.title}</p>
          <ReferrerList content={content} type={type} id={entry.id} />
        </ConfirmDeletion>
      )}
    </>
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
      {rows.map(([name, writer]) => {
        const time = timeOf(texts, entry.attributes[name] ?? undefined);
        return time === '' ? undefined : (
          <div key={name}>
            <dt>{texts.form.times[name]}</dt>
            <dd>
              {time}
              {typeof writer === 'string' && ` ${texts.form.by(writer)}`}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
