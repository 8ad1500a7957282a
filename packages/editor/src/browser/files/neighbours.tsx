import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';

interface Props {
  readonly isShown: boolean;
  /** Undefined: there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly children: ReactNode;
}

/** The way to the files before and after this one: buttons, Alt with the arrows up and down, and outside of fields those to the sides. */
export function Neighbours({ isShown, previous, next, children }: Props) {
  const texts = useTexts().files;
  const buttons = useRef<HTMLElement>(null);
  if (!isShown) return children;
  const press = (event: KeyboardEvent): void => {
    const { target, currentTarget, altKey, ctrlKey, metaKey, shiftKey, key } = event;
    // React hands on events of dialogs that are opened from here.
    if (!(target instanceof Element) || !currentTarget.contains(target) || ctrlKey || metaKey || shiftKey) return;
    const isSideways = !altKey && !target.matches('input, textarea, [role=spinbutton], video, audio');
    const keys: Readonly<Record<string, Props['next']>> = altKey
      ? { ArrowUp: previous, ArrowDown: next }
      : { ArrowLeft: previous, ArrowRight: next };
    const step = keys[key];
    if (step === undefined || !(altKey || isSideways)) return;
    event.preventDefault();
    // What has the focus in the file that is left is gone.
    if (isSideways) buttons.current?.querySelector<HTMLElement>(':enabled')?.focus();
    step();
  };
  return (
    <div onKeyDown={press}>
      <nav ref={buttons} className="neighbours" aria-label={texts.neighbours}>
        <button type="button" disabled={previous === undefined} title={texts.previousKey} onClick={previous}>
          <ChevronLeft size={17} aria-hidden="true" />
          {texts.previousFile}
        </button>
        <button type="button" disabled={next === undefined} title={texts.nextKey} onClick={next}>
          {texts.nextFile}
          <ChevronRight size={17} aria-hidden="true" />
        </button>
      </nav>
      {children}
    </div>
  );
}
