import sharp from 'sharp';

const [WIDTH, HEIGHT] = [1000, 667];
/** Ranges of hills, one before the other. */
const RANGES = 5;

/** A landscape as JPEG, another one for each number: a sky, a sun, and hills that grow darker as they come nearer. */
export function drawCover(number) {
  const hue = (number * 47) % 360;
  const sun = { x: 150 + ((number * 271) % 700), y: 120 + ((number * 83) % 120), r: 45 + ((number * 29) % 40) };
  const hills = Array.from({ length: RANGES }, (_, range) => {
    const color = `hsl(${(hue + 25 * range) % 360}, 38%, ${62 - 11 * range}%)`;
    return `<path d="${drawHills(number, range)}" fill="${color}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="hsl(${(hue + 180) % 360}, 45%, 58%)"/><stop offset="1" stop-color="hsl(${hue}, 70%, 88%)"/>
    </linearGradient>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="hsl(${(hue + 40) % 360}, 90%, 85%)"/>
    ${hills.join('')}
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 75 }).toBuffer();
}

/** A line of two waves over one another, closed below. */
function drawHills(number, range) {
  const height = HEIGHT * (0.42 + 0.12 * range);
  const points = Array.from({ length: 51 }, (_, index) => {
    const [x, phase] = [index / 50, number * 1.7 + range * 2.3];
    const y = height + 38 * Math.sin(x * (5 + range) + phase) + 14 * Math.sin(x * 17 + phase * 3);
    return `${Math.round(x * WIDTH)},${Math.round(y)}`;
  });
  return `M0,${HEIGHT} L${points.join(' ')} L${WIDTH},${HEIGHT} Z`;
}
