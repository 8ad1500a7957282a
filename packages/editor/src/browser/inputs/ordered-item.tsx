import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useDrag } from 'react-aria-components/useDrag';
import { useDrop } from 'react-aria-components/useDrop';
import { useTexts } from '../language/language.js';
import { useNotice, useWithdraw, type Notice } from '../shell/notices.js';

/** A list whose elements the user moves and removes. */
export interface Order {
  readonly count: number;
  /** The position of the element that is being dragged. */
  readonly dragged: number | undefined;
  readonly setDragged: (index: number | undefined) => void;
  readonly move: (from: number, to: number) => void;
  /** Takes an element out of the list, and offers to put it back. */
  readonly remove: (index: number, label: string) => void;
}

export function useOrder<T>(list: readonly T[], onChange: (list: readonly T[]) => void): Order {
  const texts = useTexts().inputs;
  const show = useNotice();
  const withdraw = useWithdraw();
  const [dragged, setDragged] = useState<number>();
  // It is put back into the list that there is then.
  const current = useRef({ list, onChange });
  useEffect(() => {
    current.current = { list, onChange };
  });
  /** Ends the offer. */
  const end = useRef<() => void>(() => undefined);
  useEffect(() => () => end.current(), []);
  const remove = (index: number, label: string): void => {
    const removed = list.slice(index, index + 1);
    const putBack = (): void => {
      end.current();
      const now = current.current;
      now.onChange(now.list.toSpliced(Math.min(index, now.list.length), 0, ...removed));
    };
    const undoByKey = (event: KeyboardEvent): void => {
      if (!isUndo(event)) return;
      event.preventDefault();
      putBack();
    };
    end.current();
    onChange(list.toSpliced(index, 1));
    const notice: Notice = { kind: 'done', text: texts.removed(label), action: { label: texts.undo, run: putBack } };
    show(notice);
    addEventListener('keydown', undoByKey);
    end.current = () => {
      end.current = () => undefined;
      removeEventListener('keydown', undoByKey);
      withdraw(notice);
    };
  };
  return {
    count: list.length,
    dragged,
    setDragged,
    move: (from, to) => onChange(moved(list, from, to)),
    remove,
  };
}

/** Texts have an Undo of their own. */
const isUndo = ({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) &&
  !shiftKey &&
  key.toLowerCase() === 'z' &&
  !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea')));

/** A list with one element at another position. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const element = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(to, 0, ...element);
}

interface Props {
  /** Absent: an item of a list. */
  readonly as?: 'li' | 'tr';
  readonly order: Order;
  readonly index: number;
  readonly label: string;
  readonly className: string;
  /** Absent: if there are several elements. */
  readonly isMovable?: boolean;
  /** Buttons before that which removes it. */
  readonly actions?: ReactNode;
  readonly children: (buttons: ReactNode) => ReactNode;
}

type Edge = 'before' | 'after';

/**
 * An element of a list, which changes its place by drag. Only its handle starts that, so that text in it can be
 * selected.
 */
export function OrderedItem(props: Props) {
  const { as: Element = 'li', order, index, label, className, actions, isMovable = order.count > 1, children } = props;
  const texts = useTexts().inputs;
  const element = useRef<HTMLLIElement & HTMLTableRowElement>(null);
  /** Where the dragged element would land. */
  const [edge, setEdge] = useState<Edge>();
  const { dragProps } = useDrag({
    // The keys have buttons for it.
    hasDragButton: true,
    getItems: () => [{ 'text/plain': label }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => order.setDragged(index),
    onDragEnd: () => order.setDragged(undefined),
  });
  const edgeAt = ({ y }: { readonly y: number }): Edge =>
    y < (element.current?.offsetHeight ?? 0) / 2 ? 'before' : 'after';
  const { dropProps, isDropTarget } = useDrop({
    ref: element,
    // Files, and elements of other lists, belong to what is around it.
    isDisabled: order.dragged === undefined,
    onDropEnter: (event) => setEdge(edgeAt(event)),
    onDropMove: (event) => setEdge(edgeAt(event)),
    onDrop: (event) => {
      if (order.dragged !== undefined) order.move(order.dragged, placeOf(order.dragged, index, edgeAt(event)));
      order.setDragged(undefined);
    },
  });
  const move = (to: number) => (event: { readonly currentTarget: HTMLElement }) => {
    const button = event.currentTarget;
    order.move(index, to);
    requestAnimationFrame(() => button.focus());
  };
  const remove = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    const list = currentTarget.closest<HTMLElement>('fieldset, [role=region]');
    order.remove(index, label);
    // The button is gone: its list is where the keys go on.
    requestAnimationFrame(() => list?.focus());
  };
  const isMoved = order.dragged !== undefined && placeOf(order.dragged, index, edge ?? 'before') !== order.dragged;
  const target = isDropTarget && isMoved && edge !== undefined ? ['target', edge] : [];
  return (
    <Element ref={element} {...dropProps} className={[className, ...target].join(' ')}>
      {children(
        <span className="order">
          {isMovable && (
            <>
              <span {...dragProps} className="handle" aria-hidden="true" title={texts.drag}>
                <GripVertical size={16} />
              </span>
              <button type="button" aria-label={texts.moveUp(label)} disabled={index === 0} onClick={move(index - 1)}>
                <ArrowUp size={16} aria-hidden="true" />
              </button>
              <button
                type="button"
                aria-label={texts.moveDown(label)}
                disabled={index === order.count - 1}
                onClick={move(index + 1)}
              >
                <ArrowDown size={16} aria-hidden="true" />
              </button>
            </>
          )}
          {actions}
          <button type="button" aria-label={texts.remove(label)} onClick={remove}>
            <X size={16} aria-hidden="true" />
          </button>
        </span>,
      )}
    </Element>
  );
}

/** The position of an element that lands at an edge of another one, which moves up if the first was above it. */
const placeOf = (from: number, index: number, edge: Edge): number => {
  const place = edge === 'after' ? index + 1 : index;
  return from < place ? place - 1 : place;
};
