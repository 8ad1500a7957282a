import { useRef, useState, type ReactNode } from 'react';
import { useDrag } from 'react-aria-components/useDrag';
import { useDrop } from 'react-aria-components/useDrop';
import { useTexts } from '../language/language.js';

/** A list whose elements the user moves and removes. */
export interface Order {
  readonly count: number;
  /** The position of the element that is being dragged. */
  readonly dragged: number | undefined;
  readonly setDragged: (index: number | undefined) => void;
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
}

export function useOrder<T>(list: readonly T[], onChange: (list: readonly T[]) => void): Order {
  const [dragged, setDragged] = useState<number>();
  return {
    count: list.length,
    dragged,
    setDragged,
    move: (from, to) => onChange(moved(list, from, to)),
    remove: (index) => onChange(list.toSpliced(index, 1)),
  };
}

/** A list with one element at another position. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const element = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(to, 0, ...element);
}

interface Props {
  readonly order: Order;
  readonly index: number;
  readonly label: string;
  readonly className: string;
  /** Absent: if there are several elements. */
  readonly isMovable?: boolean;
  readonly children: (buttons: ReactNode) => ReactNode;
}

/** An element of a list, which changes its place by drag. Only its handle starts that, so that text in it can be selected. */
export function OrderedItem({ order, index, label, className, isMovable = order.count > 1, children }: Props) {
  const texts = useTexts().inputs;
  const element = useRef<HTMLLIElement>(null);
  const { dragProps } = useDrag({
    // The keys have buttons for it.
    hasDragButton: true,
    getItems: () => [{ 'text/plain': label }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => order.setDragged(index),
    onDragEnd: () => order.setDragged(undefined),
  });
  const { dropProps, isDropTarget } = useDrop({
    ref: element,
    // Files, and elements of other lists, belong to what is around it.
    isDisabled: order.dragged === undefined,
    onDrop: () => {
      if (order.dragged !== undefined) order.move(order.dragged, index);
      order.setDragged(undefined);
    },
  });
  const move = (to: number) => (event: { readonly currentTarget: HTMLElement }) => {
    const button = event.currentTarget;
    order.move(index, to);
    requestAnimationFrame(() => button.focus());
  };
  const remove = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    const list = currentTarget.closest<HTMLElement>('fieldset');
    order.remove(index);
    // The button is gone: its list is where the keys go on.
    requestAnimationFrame(() => list?.focus());
  };
  const isTarget = isDropTarget && order.dragged !== index;
  return (
    <li ref={element} {...dropProps} className={[className, ...(isTarget ? ['target'] : [])].join(' ')}>
      {children(
        <span className="order">
          {isMovable && (
            <>
              <span {...dragProps} className="handle" aria-hidden="true" title={texts.drag}>
                ⠿
              </span>
              <button type="button" aria-label={texts.moveUp(label)} disabled={index === 0} onClick={move(index - 1)}>
                ↑
              </button>
              <button
                type="button"
                aria-label={texts.moveDown(label)}
                disabled={index === order.count - 1}
                onClick={move(index + 1)}
              >
                ↓
              </button>
            </>
          )}
          <button type="button" aria-label={texts.remove(label)} onClick={remove}>
            ×
          </button>
        </span>,
      )}
    </li>
  );
}
