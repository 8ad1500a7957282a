import { useState } from 'react';
import { messageOf } from '../../language/message-of.js';
import { useSession } from '../../api/session.js';
import { chosenTimes, ScheduleFields } from '../../form/schedule-fields.js';
import { useTexts } from '../../language/language.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import type { Matching } from './matching-entries.js';
import { Counting } from './questions.js';
import { scheduleTask } from './schedule-task.js';
import { useMatching } from './use-matching.js';
import { useTasks } from './use-tasks.js';

interface Props {
  readonly matching: Matching;
  /** Of one page; undefined: all that match. */
  readonly ids: ReadonlySet<number> | undefined;
  readonly total: number;
  readonly onClose: () => void;
  /** Called when the work begins. */
  readonly onBegin: () => void;
}

/** Asks when entries are published and unpublished, and schedules them one after the other. */
export function ScheduleSeveral({ matching, ids, total, onClose, onBegin }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const tasks = useTasks();
  const [mistake, setMistake] = useState<string>();
  const { entries, count, error } = useMatching(matching, ids);
  if (entries === undefined) return <Counting {...{ count, total, error, onClose }} />;
  return (
    <Dialog title={texts.bulk.askSchedule(entries.length)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          try {
            const times = chosenTimes(event.currentTarget, texts.schedule);
            onClose();
            onBegin();
            tasks.begin(scheduleTask(api, matching, times, entries));
          } catch (failure) {
            setMistake(messageOf(texts, failure));
          }
        }}
      >
        <ScheduleFields />
        <p className="hint">{texts.bulk.scheduleFollows}</p>
        {mistake !== undefined && (
          <p role="alert" className="issue">
            {mistake}
          </p>
        )}
        <DialogButtons action={texts.schedule.title} onClose={onClose} />
      </form>
    </Dialog>
  );
}
