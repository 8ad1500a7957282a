import { useState, type RefObject } from 'react';
import { useDrag } from 'react-aria-components/useDrag';
import { useDrop } from 'react-aria-components/useDrop';
import type { Selected } from '../../model/library/folders.js';
import { useMove } from './use-folders.js';

/** Files and folders are moved by dragging them onto a folder. */
export interface Drag {
  readonly dragged: Selected | undefined;
  readonly setDragged: (selected: Selected | undefined) => void;
  /** Moves what is dragged; null is the top. */
  readonly drop: (folder: number | null) => void;
}

export function useFileDrag(): Drag {
  const move = useMove();
  const [dragged, setDragged] = useState<Selected>();
  return {
    dragged,
    setDragged,
    drop: (folder) => {
      if (dragged !== undefined) move(dragged, folder);
      setDragged(undefined);
    },
  };
}

/** What an element needs to be dragged. */
export function useSource(drag: Drag | undefined, selected: Selected): object {
  const { dragProps } = useDrag({
    // The keys have a dialog for it.
    hasDragButton: true,
    isDisabled: drag === undefined,
    getItems: () => [{ 'text/plain': '' }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => drag?.setDragged(selected),
    onDragEnd: () => drag?.setDragged(undefined),
  });
  return dragProps;
}

/**
 * What the element of a folder, or of the top, needs to take what is dragged: not the folder itself, and no file of the
 * machine.
 */
export function useTarget(
  drag: Drag | undefined,
  folder: number | null,
  ref: RefObject<HTMLButtonElement | null>,
): object {
  const dragged = drag?.dragged;
  const { dropProps, isDropTarget } = useDrop({
    ref,
    isDisabled: dragged === undefined || (folder !== null && dragged.folders.includes(folder)),
    onDrop: () => drag?.drop(folder),
  });
  return { ...dropProps, ref, className: isDropTarget ? 'target' : '' };
}
