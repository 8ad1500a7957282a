import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReportSent } from '../../api/api.js';
import { useTexts } from '../../language/language.js';
import { noSelection, toggle, toggleAll, without, type Selection } from '../../model/library/selection.js';
import { advance, begin, isRunning, leftIn, runEach, type Work } from '../../model/library/work.js';
import type { FileRecord } from '../../model/values.js';
import { useNotice, type Notice } from '../../shell/notices.js';

/** Requests that run at the same time. */
const AT_ONCE = 3;

/** A file of the library, or, without an id, one to upload. */
interface Item {
  readonly name: string;
  readonly id?: number;
}

/** The selected files, and what is done with several. */
export interface Several {
  readonly ids: readonly number[];
  /** Those of other pages among them. */
  readonly known: readonly FileRecord[];
  readonly work: Work | undefined;
  readonly isBusy: boolean;
  readonly onToggle: (shown: readonly number[], id: number, isRange: boolean) => void;
  readonly onToggleAll: (shown: readonly number[]) => void;
  readonly selectAll: (files: readonly FileRecord[]) => void;
  readonly clear: () => void;
  /** What has not begun is left. */
  readonly stop: () => void;
  readonly closeWork: () => void;
  readonly run: <T extends Item>(
    kind: Work['kind'],
    items: readonly T[],
    one: (item: T, onSent: ReportSent) => Promise<unknown>,
    /** Makes the message when all is done; default: the text alone. */
    noticeOf?: (text: string, done: readonly T[]) => Notice,
  ) => Promise<void>;
}

interface Stored {
  readonly place: string;
  readonly selection: Selection;
  readonly known: readonly FileRecord[];
}

const nothingIn = (place: string): Stored => ({ place, selection: noSelection, known: [] });

/** What is selected in one place is not in another. */
export function useSeveral(place: string): Several {
  const texts = useTexts().several;
  const queries = useQueryClient();
  const show = useNotice();
  const [stored, setStored] = useState<Stored>(() => nothingIn(place));
  const [work, setWork] = useState<Work>();
  const isStopped = useRef(false);
  const { selection, known } = stored.place === place ? stored : nothingIn(place);
  const select = (next: Selection): void => setStored({ place, selection: next, known });
  const isEmpty = selection.ids.length === 0;
  useEffect(() => {
    if (isEmpty) return undefined;
    const press = ({ key }: KeyboardEvent): void => {
      // Dialogs and lists that the key closes keep it to themselves.
      if (key === 'Escape') setStored(nothingIn(place));
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isEmpty, place]);
  const run = async <T extends Item>(
    kind: Work['kind'],
    items: readonly T[],
    one: (item: T, onSent: ReportSent) => Promise<unknown>,
    noticeOf: (text: string, done: readonly T[]) => Notice = (text) => ({ kind: 'done', text }),
  ): Promise<void> => {
    if (items.length === 0) return;
    isStopped.current = false;
    let current = begin(kind, items);
    await runEach(
      items,
      AT_ONCE,
      one,
      (index, progress) => {
        current = advance(current, index, progress);
        setWork(current);
      },
      () => isStopped.current,
    );
    const done = items.filter((_, index) => current.jobs[index]?.state === 'done');
    const removed = done.flatMap(({ id }) => id ?? []);
    setStored((last) => ({ ...last, selection: without(last.selection, removed) }));
    if (leftIn(current).length === 0) {
      setWork(undefined);
      show(noticeOf(texts.done[kind](done.length), done));
    }
    // The button that had the focus is gone.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    await queries.invalidateQueries({ queryKey: ['files'] });
  };
  return {
    ids: selection.ids,
    known,
    work,
    isBusy: isRunning(work),
    onToggle: (shown, id, isRange) => select(toggle(selection, shown, id, isRange)),
    onToggleAll: (shown) => select(toggleAll(selection, shown)),
    selectAll: (files) =>
      setStored({ place, selection: { ids: files.map(({ id }) => id), anchor: undefined }, known: files }),
    clear: () => select(noSelection),
    stop: () => {
      isStopped.current = true;
    },
    closeWork: () => setWork(undefined),
    run,
  };
}
