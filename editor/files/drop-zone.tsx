import { useState, type DragEvent, type ReactNode } from 'react';

interface Props {
  /** Absent: files are not accepted. */
  readonly onDrop?: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Accepts files that are dragged into it. */
export function DropZone({ onDrop, children }: Props) {
  const [isOver, setOver] = useState(false);
  const isEnabled = ({ currentTarget }: DragEvent): boolean =>
    onDrop !== undefined && !currentTarget.matches('fieldset:disabled *');
  const follow = (event: DragEvent): void => {
    if (!isEnabled(event) || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={follow}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (!isEnabled(event) || files.length === 0) return;
        event.preventDefault();
        onDrop?.(files);
      }}
    >
      {children}
    </div>
  );
}
