import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../../language/language.js';
import type { Content } from '../../model/schema.js';
import { useNotice } from '../../shell/notices.js';
import { TaskPanel } from './task-panel.js';
import type { ShownTask, Task } from './tasks.js';

/** The work on many entries, which goes on while its user looks at other pages. */
interface Tasks {
  readonly isBusy: boolean;
  readonly begin: (task: Task) => void;
}

const Context = createContext<Tasks>({ isBusy: false, begin: () => undefined });

export const useTasks = (): Tasks => use(Context);

/** Does one task at a time, shows it beside the pages, and says what became of it. */
export function TaskProvider({ content, children }: { readonly content: Content; readonly children: ReactNode }) {
  const texts = useTexts();
  const queries = useQueryClient();
  const show = useNotice();
  const [shown, setShown] = useState<ShownTask>();
  const isStopped = useRef(false);
  const isBusy = shown !== undefined && shown.outcome === undefined;
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
  // Nothing goes on for somebody who has logged out.
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const run = async (task: Task): Promise<void> => {
    isStopped.current = false;
    show(undefined);
    setShown({ task, ended: 0, isStopping: false, outcome: undefined });
    const outcome = await task.run({
      isStopped: () => isStopped.current,
      onProgress: (ended) => setShown({ task, ended, isStopping: isStopped.current, outcome: undefined }),
    });
    const undo = task.undo?.(outcome);
    if (outcome.refused.length > 0 || outcome.left.length > 0) {
      setShown({ task, ended: task.entries.length, isStopping: false, outcome });
    } else {
      setShown(undefined);
      show({
        kind: 'done',
        text: texts.bulk.outcome(texts.bulk.done[task.kind](outcome.written.length), {
          ...outcome,
          refused: 0,
          left: 0,
        }),
        ...(undo !== undefined && { action: { label: texts.inputs.undo, run: () => begin(undo) } }),
      });
    }
    await queries.invalidateQueries({ queryKey: ['list', task.type.path] });
  };
  const begin = (task: Task): void => void run(task);
  return (
    <Context value={{ isBusy, begin }}>
      {children}
      {shown !== undefined && (
        <TaskPanel
          content={content}
          {...shown}
          onStop={() => {
            isStopped.current = true;
            setShown((now) => now && { ...now, isStopping: true });
          }}
          onUndo={begin}
          onClose={() => setShown(undefined)}
        />
      )}
    </Context>
  );
}
