import { useRef, type ReactNode } from 'react';
import { isDirectoryDropItem, isFileDropItem, useDrop } from 'react-aria-components/useDrop';
import { useTexts } from '../language/language.js';
import { useNotice } from '../shell/notices.js';

interface Props {
  /** Absent: files are not accepted. */
  readonly onDrop?: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Accepts files that are dragged into it. */
export function DropZone({ onDrop, children }: Props) {
  const texts = useTexts().files;
  const show = useNotice();
  const element = useRef<HTMLDivElement>(null);
  const take = async (items: readonly { readonly getFile: () => Promise<File> }[]): Promise<void> => {
    const files = await Promise.all(items.map((item) => item.getFile()));
    if (files.length > 0) onDrop?.(files);
  };
  const { dropProps, isDropTarget } = useDrop({
    ref: element,
    isDisabled: onDrop === undefined,
    getDropOperation: () => (element.current?.matches('fieldset:disabled *') === true ? 'cancel' : 'copy'),
    onDrop: ({ items, dropOperation }) => {
      if (dropOperation === 'cancel') return;
      if (items.some(isDirectoryDropItem)) show({ kind: 'failed', text: texts.dropFiles });
      else void take(items.filter(isFileDropItem));
    },
  });
  return (
    <div ref={element} {...dropProps} className={isDropTarget ? 'drop over' : 'drop'}>
      {children}
    </div>
  );
}
