import { useEffect, useRef, useState, type RefObject } from 'react';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The size of an element, which changes with the window. */
export function useRoom(): readonly [element: RefObject<HTMLDivElement | null>, room: Room] {
  const element = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>({ width: 1, height: 1 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setRoom(entry.contentRect);
    });
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, room];
}
