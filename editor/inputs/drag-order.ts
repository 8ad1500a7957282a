import { useState, type DragEvent } from 'react';

/** What an element of a list and its handle need to be dragged to another position. */
export interface DragProps {
  readonly item: {
    readonly className: string;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
  readonly handle: {
    readonly draggable: true;
    readonly onDragStart: (event: DragEvent) => void;
    readonly onDragEnd: () => void;
  };
}

/**
 * Elements of one list change places by drag; only the handle starts it, so that text in the elements can be selected.
 * @param className of the elements
 */
export function useDragOrder<T>(
  list: readonly T[],
  className: string,
  onChange: (list: readonly T[]) => void,
): (index: number) => DragProps {
  const [from, setFrom] = useState<number>();
  const [over, setOver] = useState<number>();
  const end = (): void => {
    setFrom(undefined);
    setOver(undefined);
  };
  return (index) => ({
    item: {
      className: over === index && from !== index ? [className, 'target'].join(' ') : className,
      onDragOver: (event) => {
        // An element of another list, or a file.
        if (from === undefined) return;
        event.preventDefault();
        setOver(index);
      },
      onDrop: (event) => {
        if (from === undefined) return;
        event.preventDefault();
        onChange(moved(list, from, index));
        end();
      },
    },
    handle: {
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        event.dataTransfer.setData('text/plain', '');
        setFrom(index);
      },
      onDragEnd: end,
    },
  });
}

/** A list with one element at another position. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const element = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(to, 0, ...element);
}
