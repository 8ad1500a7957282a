import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { CommandButton } from '../shell/commands/commands.js';

interface Props {
  readonly isShown: boolean;
  /** Undefined: there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly children: ReactNode;
}

/** What has a use for the arrows. */
const taking = 'input, textarea, [role=spinbutton], video, audio';

/**
 * The way to the files before and after this one: buttons with their keys, and the arrows to the sides outside of
 * fields.
 */
export function Neighbours({ isShown, previous, next, children }: Props) {
  const texts = useTexts();
  const buttons = useRef<HTMLElement>(null);
  if (!isShown) return children;
  const press = (event: KeyboardEvent): void => {
    const { target, currentTarget, altKey, ctrlKey, metaKey, shiftKey, key } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    // React hands on the events of dialogs that are opened from here.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.matches(taking)) return;
    const step = key === 'ArrowLeft' ? previous : key === 'ArrowRight' ? next : undefined;
    if (step === undefined) return;
    event.preventDefault();
    // What has the focus in the file that is left is gone.
    buttons.current?.querySelector<HTMLElement>(':enabled')?.focus();
    step();
  };
  return (
    <div onKeyDown={press}>
      <nav ref={buttons} className="neighbours" aria-label={texts.files.neighbours}>
        <CommandButton
          type="button"
          shortcut="previousFile"
          label={texts.keys.labels.previousFile}
          disabled={previous === undefined}
          onClick={previous}
        >
          <ChevronLeft size={17} aria-hidden="true" />
          {texts.keys.labels.previousFile}
        </CommandButton>
        <CommandButton
          type="button"
          shortcut="nextFile"
          label={texts.keys.labels.nextFile}
          disabled={next === undefined}
          onClick={next}
        >
          {texts.keys.labels.nextFile}
          <ChevronRight size={17} aria-hidden="true" />
        </CommandButton>
      </nav>
      {children}
    </div>
  );
}
