import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { publishAsked, reviewPath, sendBack, withdraw, type Review } from './reviews.js';
import { useSession } from '../../api/session.js';
import { isConflict } from '../../api/write-entry.js';
import { useTexts } from '../../language/language.js';
import { RelativeTime } from '../../language/relative-time.js';
import type { ContentType } from '../../model/schema.js';
import { useNotice } from '../../shell/notices.js';
import { NoteDialog } from './note-dialog.js';
import { useReview } from './use-review.js';

interface Props {
  readonly type: ContentType;
  /** Undefined: it is new, so nobody asks for it. */
  readonly entry: Entry | undefined;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly mayPublish: boolean;
  /** Puts what is stored now into the form. */
  readonly onChanged: () => void;
}

/** Who asks to publish the entry, and what its users can do about that. */
export function ReviewPanel({ type, entry, ...props }: Props) {
  const review = useReview(type, entry);
  // The element stays, so that screen readers read what changes in it.
  return (
    <div className="review" role="status">
      {review && entry !== undefined && <Request {...props} type={type} id={entry.id} review={review} />}
    </div>
  );
}

interface RequestProps extends Omit<Props, 'entry'> {
  readonly id: number;
  readonly review: Review;
}

function Request({ type, id, review, isDirty, isBusy, mayPublish, onChanged }: RequestProps) {
  const all = useTexts();
  const texts = all.review;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [isAnswering, setAnswering] = useState(false);
  const path = reviewPath(type, id);
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ send }: { readonly send: () => Promise<void>; readonly done: string }) => send(),
    onSuccess: (_, { done }) => show({ kind: 'done', text: done }),
    onError: (error) => {
      if (!isConflict(error)) return show({ kind: 'failed', error });
      show({ kind: 'failed', text: texts.hasChanged });
      // Who has typed nothing sees what has changed.
      if (!isDirty) onChanged();
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['review', type.path] });
      await queries.invalidateQueries({ queryKey: ['list'] });
    },
  });
  const isReady = review.state === 'ready';
  const last = review.notes.at(-1);
  const name = (isReady ? review.by : last?.by) ?? all.presence.somebody;
  return (
    <div className={isReady ? 'notice' : 'notice failed'}>
      <p>
        {isReady ? texts.asks(name) : texts.sentBack(name)} <RelativeTime value={review.at} />
        {last?.text && (
          <>
            {': '}
            <q>{last.text}</q>
          </>
        )}
      </p>
      {isReady && review.changed && <p>{texts.changedSince}</p>}
      {isReady && (
        <div className="actions">
          {mayPublish && (
            <button
              type="button"
              className="primary"
              disabled={isBusy || isPending || isDirty || review.changed}
              onClick={() =>
                mutate(
                  { send: () => publishAsked(api, path, review.tag), done: all.form.published },
                  { onSuccess: onChanged },
                )
              }
            >
              {texts.publish}
            </button>
          )}
          {mayPublish && (
            <button type="button" disabled={isBusy || isPending} onClick={() => setAnswering(true)}>
              {texts.sendBack}
            </button>
          )}
          {!mayPublish && (
            <button
              type="button"
              disabled={isBusy || isPending}
              onClick={() => mutate({ send: () => withdraw(api, path), done: texts.withdrawn })}
            >
              {texts.withdraw}
            </button>
          )}
        </div>
      )}
      {isAnswering && (
        <NoteDialog
          title={texts.sendBackTitle}
          label={texts.whatToChange}
          action={texts.sendBackNow}
          isRequired
          onClose={() => setAnswering(false)}
          onSend={(note) => mutate({ send: () => sendBack(api, path, review.tag, note), done: texts.isSentBack })}
        />
      )}
    </div>
  );
}
