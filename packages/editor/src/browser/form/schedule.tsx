import { ExplainedError } from '../language/message-of.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { aheadOf, readSchedule, type Times } from '../api/schedules.js';
import { useSession } from '../api/session.js';
import { DateInput } from '../inputs/dates/date-input.js';
import { toLocal } from '../model/scalars.js';
import { Dialog } from '../shell/dialog.js';
import type { Texts } from '../language/texts.js';
import { explainAll } from '../language/explain.js';
import { useTexts } from '../language/language.js';
import { timeOf } from '../language/time-of.js';
import { Failure, useNotice } from '../shell/notices.js';

interface Props {
  readonly path: string;
  /** Changes with the entry: a time in its schedule may have come. */
  readonly version: unknown;
  readonly isDraft: boolean;
  readonly isBusy: boolean;
}

/**
 * When a stored entry is published and unpublished; types whose writes are handled by code of the project have no
 * schedules.
 */
export function Schedule({ path, version, isDraft, isBusy }: Props) {
  const all = useTexts();
  const texts = all.schedule;
  const { api } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { data: stored } = useQuery({
    queryKey: ['schedule', path, version],
    queryFn: () => readSchedule(api, path),
  });
  if (stored === undefined) return undefined;
  const data = aheadOf(stored, isDraft);
  return (
    <section>
      <h2>{texts.title}</h2>
      {data.publishAt !== null && <p>{texts.publish(timeOf(all, data.publishAt))}</p>}
      {data.unpublishAt !== null && <p>{texts.unpublish(timeOf(all, data.unpublishAt))}</p>}
      {data.error !== undefined && (
        <p role="alert" className="issue">
          {explainAll(all, data.error)}
        </p>
      )}
      <button type="button" disabled={isBusy} onClick={() => setOpen(true)}>
        {isScheduled(data) ? texts.change : texts.schedule}
      </button>
      {isOpen && <ScheduleDialog path={path} times={data} onClose={() => setOpen(false)} />}
    </section>
  );
}

const isScheduled = ({ publishAt, unpublishAt }: Times): boolean => publishAt !== null || unpublishAt !== null;

type Chosen = readonly [name: 'publishAt' | 'unpublishAt', time: string];

/** What the service would refuse, in words of the form. */
function findMistake(texts: Texts['schedule'], chosen: readonly Chosen[]): string | undefined {
  const [first, second] = chosen;
  if (first === undefined) return texts.noTime;
  const past = chosen.find(([, time]) => new Date(time) <= new Date());
  if (past !== undefined) return texts.isPast(texts[past[0]]);
  return first[1] === second?.[1] ? texts.sameTimes : undefined;
}

function ScheduleDialog({
  path,
  times,
  onClose,
}: {
  readonly path: string;
  readonly times: Times;
  readonly onClose: () => void;
}) {
  const texts = useTexts().schedule;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const { mutate, error } = useMutation({
    /** @param chosen absent: nothing is scheduled any more */
    mutationFn: async (chosen: readonly Chosen[] | undefined) => {
      if (chosen === undefined) return api.send('DELETE', `${path}/schedule`);
      const mistake = findMistake(texts, chosen);
      if (mistake !== undefined) throw new ExplainedError(mistake);
      return api.send('POST', `${path}/schedule`, { body: Object.fromEntries(chosen) });
    },
    onSuccess: async (_, chosen) => {
      await queries.invalidateQueries({ queryKey: ['schedule', path] });
      show({ kind: 'done', text: chosen === undefined ? texts.cancelled : texts.scheduled });
      onClose();
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = (['publishAt', 'unpublishAt'] as const).flatMap((name): readonly Chosen[] => {
      const text = form.get(name);
      return typeof text === 'string' && text !== '' ? [[name, new Date(text).toISOString()]] : [];
    });
    mutate(chosen);
  };
  const field = (name: 'publishAt' | 'unpublishAt', label: string) => (
    <DateInput
      kind="instant"
      granularity="minute"
      label={label}
      name={name}
      defaultValue={times[name] === null ? '' : toLocal(new Date(times[name]))}
    />
  );
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form onSubmit={submit}>
        {field('publishAt', texts.publishAt)}
        {field('unpublishAt', texts.unpublishAt)}
        <p className="hint">{texts.hint}</p>
        {error !== null && <Failure error={error} />}
        <div className="actions">
          {isScheduled(times) && (
            <button type="button" className="danger" onClick={() => mutate(undefined)}>
              {texts.cancel}
            </button>
          )}
          <button type="submit" className="primary">
            {texts.title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
