import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { createPortal } from 'react-dom';

interface Props {
  readonly title: string;
  /** Absent: it cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

interface ButtonsProps {
  readonly action: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
}

/** The buttons at the end of the form of a dialog: one sends it, one closes it. */
export function DialogButtons({ action, isBusy = false, onClose }: ButtonsProps) {
  const { cancel } = useTexts().common;
  return (
    <div className="actions">
      <button type="submit" className="primary" disabled={isBusy}>
        {action}
      </button>
      <button type="button" onClick={onClose}>
        {cancel}
      </button>
    </div>
  );
}

/** A modal dialog; the browser keeps the focus in it. It is outside of the form that opens it: forms in it are not part of that one. */
export function Dialog({ title, onClose, children, wide = false }: Props) {
  const texts = useTexts().common;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // While it is still in the page, closing it returns the focus to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog?.open === false) {
      dialog.showModal();
      // The browser would focus the button that closes it.
      dialog
        .querySelector<HTMLElement>('form input:not([type=file]), form select, input:is([readonly], :checked)')
        ?.focus();
    }
    return () => dialog?.close();
  }, []);
  return createPortal(
    <dialog
      ref={element}
      className={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onSubmit={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" className="quiet" aria-label={texts.close} onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {children}
    </dialog>,
    document.body,
  );
}
