import { messageOf } from '../../language/message-of.js';
import { X } from 'lucide-react';
import { useTexts } from '../../language/language.js';
import type { Content } from '../../model/schema.js';

import { RefusalList } from './refusal-list.js';
import type { ShownTask, Task } from './tasks.js';

interface Props extends ShownTask {
  readonly content: Content;
  readonly onStop: () => void;
  readonly onUndo: (task: Task) => void;
  readonly onClose: () => void;
}

/** How far the work on many entries is, and at its end which ones were refused, and why. */
export function TaskPanel({ content, task, ended, isStopping, outcome, onStop, onUndo, onClose }: Props) {
  const texts = useTexts();
  const { kind, type, entries } = task;
  if (outcome === undefined) {
    const title = texts.bulk.progress[kind](ended, entries.length);
    return (
      <section className="work task" aria-label={title}>
        <header>
          <strong role="status">{title}</strong>
          <progress aria-label={title} value={ended} max={entries.length} />
          <button type="button" disabled={isStopping} onClick={onStop}>
            {texts.bulk.stop}
          </button>
        </header>
      </section>
    );
  }
  const { written, refused, left, skipped, error } = outcome;
  const title = texts.bulk.outcome(texts.bulk.done[kind](written.length), {
    skipped,
    refused: refused.length,
    left: left.length,
  });
  const undo = task.undo?.(outcome);
  return (
    <section className="work task" aria-label={texts.bulk.report}>
      <header>
        <strong role="alert">{title}</strong>
        {undo !== undefined && (
          <button type="button" onClick={() => onUndo(undo)}>
            {texts.inputs.undo}
          </button>
        )}
        <button type="button" className="quiet" aria-label={texts.common.closeMessage} onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      {error !== undefined && <p className="issue">{messageOf(texts, error)}</p>}
      {refused.length > 0 && (
        <RefusalList
          content={content}
          type={type}
          isPublication={kind === 'publish'}
          refused={refused.map(({ item, issues }) => ({ entry: item, issues }))}
        />
      )}
    </section>
  );
}
