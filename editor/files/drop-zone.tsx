import { useRef, type ReactNode } from 'react';
import { isFileDropItem, useDrop, type DropItem } from 'react-aria-components';

interface Props {
  /** Absent: files are not accepted. */
  readonly onDrop?: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Accepts files that are dragged into it. */
export function DropZone({ onDrop, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const drop = async (items: readonly DropItem[]): Promise<void> => {
    const files = await Promise.all(items.filter(isFileDropItem).map((item) => item.getFile()));
    if (files.length > 0) onDrop?.(files);
  };
  const { dropProps, isDropTarget } = useDrop({
    ref: element,
    isDisabled: onDrop === undefined,
    getDropOperation: () => (element.current?.matches('fieldset:disabled *') === true ? 'cancel' : 'copy'),
    onDrop: ({ items, dropOperation }) => {
      if (dropOperation !== 'cancel') void drop(items);
    },
  });
  return (
    <div ref={element} {...dropProps} className={isDropTarget ? 'drop over' : 'drop'}>
      {children}
    </div>
  );
}
