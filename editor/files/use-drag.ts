import { useState, type DragEvent } from 'react';
import type { Selected } from '../model/library/folders.js';
import { useMove } from './use-folders.js';

/** Files and folders are moved by dragging them onto a folder. */
export interface Drag {
  /** For an element that can be dragged. */
  readonly source: (selected: Selected) => {
    readonly draggable: true;
    readonly onDragStart: (event: DragEvent) => void;
    readonly onDragEnd: () => void;
  };
  /** For that of a folder, or of the top. */
  readonly target: (folder: number | null) => {
    readonly className: string;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

export function useDrag(): Drag {
  const move = useMove();
  const [dragged, setDragged] = useState<Selected>();
  const [over, setOver] = useState<number | null>();
  const end = (): void => {
    setDragged(undefined);
    setOver(undefined);
  };
  return {
    source: (selected) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        event.dataTransfer.setData('text/plain', '');
        setDragged(selected);
      },
      onDragEnd: end,
    }),
    target: (folder) => ({
      className: over === folder ? 'target' : '',
      onDragOver: (event) => {
        // A file of the machine, or the folder itself.
        if (dragged === undefined || (folder !== null && dragged.folders.includes(folder))) return;
        event.preventDefault();
        setOver(folder);
      },
      onDragLeave: () => setOver(undefined),
      onDrop: (event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        end();
        move(dragged, folder);
      },
    }),
  };
}
