import { useRef, type ReactNode } from 'react';
import { isFileDropItem, useDrop } from 'react-aria-components/useDrop';

interface Props {
  /** Absent: files are not accepted. */
  readonly onDrop?: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Accepts files that are dragged into it. */
export function DropZone({ onDrop, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const { dropProps, isDropTarget } = useDrop({
    ref: element,
    isDisabled: onDrop === undefined,
    getDropOperation: () => (element.current?.matches('fieldset:disabled *') === true ? 'cancel' : 'copy'),
    onDrop: ({ items, dropOperation }) => {
      if (dropOperation === 'cancel') return;
      void Promise.all(items.filter(isFileDropItem).map((item) => item.getFile())).then((files) => {
        if (files.length > 0) onDrop?.(files);
      });
    },
  });
  return (
    <div ref={element} {...dropProps} className={isDropTarget ? 'drop over' : 'drop'}>
      {children}
    </div>
  );
}
