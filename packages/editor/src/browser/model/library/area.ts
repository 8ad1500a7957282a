/** A part of an image, in its pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Area, 'width' | 'height'>;
type Point = Pick<Area, 'x' | 'y'>;

/** An empty field has no number. */
const within = (value: number, min: number, max: number): number =>
  Math.round(Math.min(Math.max(Number.isNaN(value) ? min : value, min), max));

/** Whole pixels within an image, at least one. */
export function areaWithin({ x, y, width, height }: Area, image: Size): Area {
  const left = within(x, 0, image.width - 1);
  const top = within(y, 0, image.height - 1);
  return {
    x: left,
    y: top,
    width: within(width, 1, image.width - left),
    height: within(height, 1, image.height - top),
  };
}

/** What lies between two points of an image, which may be outside of it. */
export function areaBetween(from: Point, to: Point, image: Size): Area {
  const columns = [from.x, to.x].map((x) => within(x, 0, image.width));
  const rows = [from.y, to.y].map((y) => within(y, 0, image.height));
  const [x, y] = [Math.min(...columns), Math.min(...rows)];
  return areaWithin({ x, y, width: Math.max(...columns) - x, height: Math.max(...rows) - y }, image);
}

/** `mill.png` as `mill-400x300.png`. */
export const cropName = (name: string, { width, height }: Size): string =>
  name.replace(/(?:\.[^.]*)?$/, `-${width}x${height}$&`);

/** The types that browsers can write, too. */
export const isCroppable = (mime: string): boolean => ['image/jpeg', 'image/png', 'image/webp'].includes(mime);
