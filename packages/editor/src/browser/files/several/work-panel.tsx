import { messageOf } from '../../language/message-of.js';
import { X } from 'lucide-react';
import { useTexts } from '../../language/language.js';
import { endedIn, isRunning, leftIn, type Work } from '../../model/library/work.js';

interface Props {
  readonly work: Work;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

/** How far each file is, and at the end which ones failed, and why. */
export function WorkPanel({ work, onStop, onClose }: Props) {
  const texts = useTexts();
  const { kind, jobs } = work;
  const isBusy = isRunning(work);
  const ended = endedIn(work);
  const failed = leftIn(work);
  const title = isBusy
    ? texts.several.progress[kind](ended, jobs.length)
    : texts.several.failed[kind](failed.length, jobs.length);
  return (
    <section className="work" aria-label={title}>
      <header>
        <strong role={isBusy ? undefined : 'alert'}>{title}</strong>
        {isBusy ? (
          <>
            <progress aria-label={title} value={ended} max={jobs.length} />
            <button type="button" onClick={onStop}>
              {texts.bulk.stop}
            </button>
          </>
        ) : (
          <button type="button" className="quiet" aria-label={texts.common.closeMessage} onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </button>
        )}
      </header>
      {/* Who uses the keyboard can scroll it. */}
      <ul tabIndex={0}>
        {(isBusy ? jobs : failed).map(({ name, state, sent = 1, error }, index) => (
          <li key={index}>
            <span>{name}</span>
            {state === 'running' && sent < 1 ? (
              <progress aria-label={name} value={sent} />
            ) : (
              <span className={state === 'failed' ? 'issue' : 'hint'}>
                {state === 'failed' ? messageOf(texts, error) : texts.several.states[state]}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
