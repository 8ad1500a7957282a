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
      dialog.querySelector<HTMLElement>('form input:not([type=file]), form select, input[readonly]')?.focus();
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
