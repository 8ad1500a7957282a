type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The page, the cards on it, and the end of the scale towards which a colour can be read better on both; as in
 * base.css.
 */
const schemes = {
  light: { page: '#f7f7f4', card: '#ffffff', end: '#000000', tint: 0.1 },
  dark: { page: '#141816', card: '#1c211f', end: '#ffffff', tint: 0.12 },
} as const;

interface Accent {
  readonly accent: string;
  /** The background of what is chosen. */
  readonly tint: string;
}

const MIN_CONTRAST = 4.5;
const STEPS = 50;

/** A colour as near as possible to the wanted one that can be read on the backgrounds of a scheme. */
export function accentOf(wanted: string, scheme: keyof typeof schemes): Accent {
  const { page, card, end, tint } = schemes[scheme];
  const candidates = Array.from({ length: STEPS + 1 }, (_, step) => {
    const accent = mix(wanted, end, step / STEPS);
    return { accent, tint: mix(card, accent, tint) };
  });
  const isReadable = ({ accent, tint: chosen }: Accent): boolean =>
    [page, card, chosen].every((background) => contrastOf(accent, background) >= MIN_CONTRAST);
  return candidates.find(isReadable) ?? { accent: end, tint: page };
}

const parse = (color: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as unknown as Rgb;

/** @param part of the second colour, up to 1 */
function mix(first: string, second: string, part: number): string {
  const other = parse(second);
  const channels = parse(first).map((channel, index) => Math.round(channel + ((other[index] ?? 0) - channel) * part));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** As WCAG defines it, from 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const luminances = [luminanceOf(first), luminanceOf(second)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = parse(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
