import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { aheadOf, readSchedule, refusalIn, type Times } from '../api/schedules.js';
import { useSession } from '../api/session.js';
import { Dialog } from '../shell/dialog.js';
import { explainAll } from '../language/explain.js';
import { useTexts } from '../language/language.js';
import { timeOf } from '../language/time-of.js';
import { Failure, useNotice } from '../shell/notices.js';
import { chosenTimes, describeTimes, ScheduleFields } from './schedule-fields.js';

interface Props {
  readonly path: string;
  /** Changes with the entry: a time in its schedule may have come. */
  readonly version: unknown;
  readonly isDraft: boolean;
  readonly isBusy: boolean;
  /** How many values have to be corrected before the entry can be published. */
  readonly findMissing: () => number;
}

/**
 * When a stored entry is published and unpublished; types whose writes are handled by code of the project have no
 * schedules.
 */
export function Schedule({ path, version, isDraft, isBusy, findMissing }: Props) {
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
  const refusal = refusalIn(data);
  return (
    <section>
      <h2>{texts.title}</h2>
      {data.publishAt !== null && <p>{texts.publish(timeOf(all, data.publishAt))}</p>}
      {data.unpublishAt !== null && <p>{texts.unpublish(timeOf(all, data.unpublishAt))}</p>}
      {refusal !== undefined && (
        <p role="alert" className="issue">
          {explainAll(all, refusal)}
        </p>
      )}
      <button type="button" disabled={isBusy} onClick={() => setOpen(true)}>
        {isScheduled(data) ? texts.change : texts.schedule}
      </button>
      {isOpen && <ScheduleDialog {...{ path, findMissing }} times={data} onClose={() => setOpen(false)} />}
    </section>
  );
}

const isScheduled = ({ publishAt, unpublishAt }: Times): boolean => publishAt !== null || unpublishAt !== null;

interface DialogProps extends Pick<Props, 'path' | 'findMissing'> {
  readonly times: Times;
  readonly onClose: () => void;
}

function ScheduleDialog({ path, times, findMissing, onClose }: DialogProps) {
  const all = useTexts();
  const texts = all.schedule;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const { mutate, error } = useMutation({
    /** @param form absent: nothing is scheduled any more */
    mutationFn: async (form: HTMLFormElement | undefined) => {
      const chosen = form && chosenTimes(form, texts);
      await (chosen === undefined
        ? api.send('DELETE', `${path}/schedule`)
        : api.send('POST', `${path}/schedule`, { body: chosen }));
      return chosen;
    },
    onSuccess: async (chosen) => {
      await queries.invalidateQueries({ queryKey: ['schedule', path] });
      show({
        kind: 'done',
        text: chosen === undefined ? texts.cancelled : texts.scheduled(describeTimes(all, chosen)),
      });
      onClose();
    },
  });
  const missing = findMissing();
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(event.currentTarget);
        }}
      >
        {missing > 0 && <p className="notice">{texts.incomplete(missing)}</p>}
        <ScheduleFields times={times} />
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
