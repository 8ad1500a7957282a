import { useTexts } from '../language/language.js';
import type { DragProps } from './drag-order.js';

/** Moves and removes an element of a list, and keeps the focus there. */
export function OrderButtons(props: {
  readonly label: string;
  readonly index: number;
  readonly count: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  /** Absent: it cannot be dragged. */
  readonly handle?: DragProps['handle'];
}) {
  const texts = useTexts().inputs;
  const { label, index, count, onMove } = props;
  const move = (to: number) => (event: { readonly currentTarget: HTMLElement }) => {
    const button = event.currentTarget;
    onMove(to);
    requestAnimationFrame(() => button.focus());
  };
  const remove = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    const list = currentTarget.closest<HTMLElement>('fieldset');
    props.onRemove();
    // The button is gone: its list is where the keys go on.
    requestAnimationFrame(() => list?.focus());
  };
  return (
    <span className="order">
      {count > 1 && (
        <>
          <span className="handle" aria-hidden="true" title={texts.drag} {...props.handle}>
            ⠿
          </span>
          <button type="button" aria-label={texts.moveUp(label)} disabled={index === 0} onClick={move(index - 1)}>
            ↑
          </button>
          <button
            type="button"
            aria-label={texts.moveDown(label)}
            disabled={index === count - 1}
            onClick={move(index + 1)}
          >
            ↓
          </button>
        </>
      )}
      <button type="button" aria-label={texts.remove(label)} onClick={remove}>
        ×
      </button>
    </span>
  );
}
