import { X } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { CommandScope } from './commands/commands.js';
import { useTexts } from '../language/language.js';

interface Props {
  readonly title: string;
  /** Absent: it cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  readonly className?: string;
}

interface ButtonsProps {
  readonly action: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  /** Other buttons that send it. */
  readonly children?: ReactNode;
}

/** The buttons at the end of the form of a dialog: one sends it, one closes it. */
export function DialogButtons({ action, isBusy = false, onClose, children }: ButtonsProps) {
  const { cancel } = useTexts().common;
  return (
    <div className="actions">
      <button type="submit" className="primary" disabled={isBusy}>
        {action}
      </button>
      {children}
      <button type="button" onClick={onClose}>
        {cancel}
      </button>
    </div>
  );
}

/** A modal dialog. It is outside of the form that opens it: forms in it are not part of that one. */
export function Dialog({ wide = false, className = '', ...content }: Props) {
  const { onClose } = content;
  return (
    <ModalOverlay
      isOpen
      className="backdrop"
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={() => onClose?.()}
    >
      <Modal className={`dialog ${wide ? 'wide' : className}`}>
        <CommandScope>
          <Content {...content} />
        </CommandScope>
      </Modal>
    </ModalOverlay>
  );
}

function Content({ title, onClose, children }: Omit<Props, 'wide' | 'className'>) {
  const texts = useTexts().common;
  const element = useRef<HTMLElement>(null);
  // The dialog itself would have the focus otherwise.
  useLayoutEffect(
    () =>
      element.current
        ?.querySelector<HTMLElement>(
          'form :is(input:not([type=file]), .choice > button, [role=spinbutton]), input:is([readonly], :checked)',
        )
        ?.focus(),
    [],
  );
  return (
    <AriaDialog ref={element}>
      {/* React hands an event on to the form that opened the dialog. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <header>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {onClose !== undefined && (
            <button type="button" className="quiet" aria-label={texts.close} onClick={onClose}>
              <X size={16} aria-hidden="true" />
            </button>
          )}
        </header>
        {children}
      </div>
    </AriaDialog>
  );
}
