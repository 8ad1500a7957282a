import { ExternalLink, PanelRight } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../language/language.js';
import { previewOf } from '../../model/preview.js';
import { CommandButton, useCommands } from '../../shell/commands/commands.js';
import { NoteDialog } from '../review/note-dialog.js';
import { useReview } from '../review/use-review.js';
import type { BarProps } from './bar-props.js';
import { MoreActions } from './more-actions.js';

/**
 * What can be done with an entry: it is previewed, saved and published here, and a menu has what is done less often.
 */
export function EntryBar(props: BarProps) {
  const { type, entry, onPreview } = props;
  const { form: texts } = useTexts();
  const preview = entry === undefined ? undefined : previewOf(type, entry);
  useCommands(
    preview === undefined
      ? []
      : [{ label: texts.preview, run: () => void open(preview, '_blank', 'noopener,noreferrer') }],
  );
  return (
    <div className="bar">
      {onPreview !== undefined && (
        <CommandButton type="button" label={texts.previewBeside} className="wide-only" onClick={onPreview}>
          <PanelRight size={18} aria-hidden="true" />
          <span className="hidden">{texts.previewBeside}</span>
        </CommandButton>
      )}
      {preview !== undefined && (
        <a className="button" href={preview} target="_blank" rel="noreferrer" title={texts.preview}>
          <ExternalLink size={18} aria-hidden="true" />
          <span className="hidden">{texts.preview}</span>
        </a>
      )}
      {props.mayWrite && <SaveActions {...props} />}
      <MoreActions {...props} />
    </div>
  );
}

function SaveActions({ type, entry, state, isDirty, isBusy, canSave, mayPublish, onPublish, onAsk }: BarProps) {
  const texts = useTexts();
  const [isAsking, setAsking] = useState(false);
  const review = useReview(type, entry);
  const isAsked = review?.state === 'ready' && !review.changed && !isDirty;
  const isDraft = type.draftAndPublish && state === 'draft';
  const isPrepared = type.workingCopies === true && entry !== undefined && !isDraft;
  const live = type.draftAndPublish ? texts.form.saveLive : texts.common.save;
  const save = isDraft || isPrepared ? texts.form.saveDraft : live;
  const publication = isDraft ? 'publish' : 'unpublish';
  const waits = isDraft || isDirty || state === 'modified';
  return (
    <>
      <CommandButton
        type="submit"
        shortcut="save"
        label={isBusy ? texts.common.saving : save}
        className={isDraft || isPrepared ? '' : 'primary'}
        disabled={!canSave || isBusy}
      />
      {onAsk !== undefined && (
        <CommandButton
          type="button"
          shortcut="publish"
          label={texts.review.ask}
          className="primary"
          disabled={isBusy || isAsked || !waits || (entry === undefined && !canSave)}
          onClick={() => setAsking(true)}
        />
      )}
      {isAsking && (
        <NoteDialog
          title={texts.review.askTitle}
          label={texts.review.note}
          action={texts.review.ask}
          onClose={() => setAsking(false)}
          onSend={(note) => onAsk?.(note)}
        />
      )}
      {onAsk === undefined && isPrepared && (
        <CommandButton
          type="button"
          shortcut="publish"
          label={texts.publication.publishChanges}
          className="primary"
          disabled={!mayPublish || isBusy || !(isDirty || state === 'modified')}
          onClick={() => onPublish('publish')}
        />
      )}
      {onAsk === undefined && type.draftAndPublish && !isPrepared && (
        <CommandButton
          type="button"
          {...(isDraft && { shortcut: 'publish' })}
          label={texts.form[publication]}
          className={isDraft ? 'primary' : ''}
          disabled={!mayPublish || isBusy}
          onClick={() => onPublish(publication)}
        />
      )}
    </>
  );
}
