/** A part of an image, in its pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Area, 'width' | 'height'>;

/** What is no number is the least. */
const within = (value: number, min: number, max: number): number =>
  Math.round(Math.min(Math.max(Number.isNaN(value) ? min : value, min), max));

/** Whole pixels within an image, at least one; with a proportion of width to height as large as it can be. */
export function areaWithin({ x, y, width, height }: Area, image: Size, ratio?: number): Area {
  const left = within(x, 0, image.width - 1);
  const top = within(y, 0, image.height - 1);
  const space = { width: image.width - left, height: image.height - top };
  const shrunk = ratio === undefined ? 1 : Math.min(1, space.width / width, space.height / height);
  return {
    x: left,
    y: top,
    width: within(width * shrunk, 1, space.width),
    height: within(height * shrunk, 1, space.height),
  };
}

/** The largest area of an image with a proportion, in its middle. */
export function largestArea(image: Size, ratio = image.width / image.height): Area {
  const width = Math.min(image.width, image.height * ratio);
  const height = width / ratio;
  return areaWithin({ x: (image.width - width) / 2, y: (image.height - height) / 2, width, height }, image);
}

/** An area with one of its numbers typed: with a proportion the other side follows. An empty field has no number. */
export function withNumber(area: Area, name: keyof Area, value: number, ratio: number | undefined): Area {
  const changed = { ...area, [name]: value };
  if (ratio === undefined || Number.isNaN(value)) return changed;
  if (name === 'width') return { ...changed, height: value / ratio };
  return name === 'height' ? { ...changed, width: value * ratio } : changed;
}

/** Shares of an image in percent, as the frame over it has them. */
export const percentOf = ({ x, y, width, height }: Area, image: Size): Area => ({
  x: (x / image.width) * 100,
  y: (y / image.height) * 100,
  width: (width / image.width) * 100,
  height: (height / image.height) * 100,
});

/** The pixels of a frame in percent. */
export const pixelsOf = ({ x, y, width, height }: Area, image: Size): Area => ({
  x: (x / 100) * image.width,
  y: (y / 100) * image.height,
  width: (width / 100) * image.width,
  height: (height / 100) * image.height,
});

/** The proportions that the editor offers beside those of the image, as `width:height`. */
export const ratios: readonly string[] = ['1:1', '4:3', '3:2', '16:9', '3:4', '2:3', '9:16'];

/** `original`, or one of the proportions above; undefined for any other name: every proportion. */
export function ratioOf(name: string, image: Size): number | undefined {
  if (name === 'original') return image.width / image.height;
  const [width, height] = ratios.includes(name) ? name.split(':').map(Number) : [];
  return width === undefined || height === undefined ? undefined : width / height;
}

/** `mill.png` as `mill-400x300.png`. */
export const cropName = (name: string, { width, height }: Size): string =>
  name.replace(/(?:\.[^.]*)?$/, `-${width}x${height}$&`);

/** The types that browsers can write, too. */
export const isCroppable = (mime: string): boolean => ['image/jpeg', 'image/png', 'image/webp'].includes(mime);
