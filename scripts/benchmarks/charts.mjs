/** Charts of what was measured, as SVG that follows the reader's light or dark. */

const style = `
  <style>
    text { fill: #1d2321; font: 14px system-ui, sans-serif; }
    .title { font-weight: 600; font-size: 16px; }
    .quiet { fill: #59625e; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .bar { fill: #0b6b4f; }
    .grid { stroke: #c9d1cd; }
    .line { fill: none; stroke-width: 2.5; }
    .c0 { stroke: #0b6b4f; } .c1 { stroke: #b4540a; } .c2 { stroke: #3b5bdb; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e9ece9; }
      .quiet { fill: #a3ada8; }
      .bar { fill: #6fd3ae; }
      .grid { stroke: #3a423f; }
      .c0 { stroke: #6fd3ae; } .c1 { stroke: #f0a35e; } .c2 { stroke: #91a7ff; }
    }
  </style>`;

const figure = (width, height, title, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">${title}</title>${style}
  <text class="title" x="16" y="26">${title}</text>
${content.map((line) => `  ${line}`).join('\n')}
</svg>
`;

const [LEFT, WIDTH, ROW, TOP] = [60, 560, 28, 48];

/**
 * A bar for each value.
 * @param bars `{ label, value, text }`; `marks`: where lines stand, in the values' unit
 */
export function drawBars(title, bars, marks) {
  const most = Math.max(...bars.map(({ value }) => value), ...marks);
  const x = (value) => (LEFT + (WIDTH * value) / most).toFixed(1);
  const bottom = TOP + ROW * bars.length;
  return figure(LEFT + WIDTH + 130, bottom + 30, title, [
    ...marks.flatMap((mark) => [
      `<line class="grid" x1="${x(mark)}" x2="${x(mark)}" y1="${TOP - 6}" y2="${bottom}" />`,
      `<text class="quiet middle" x="${x(mark)}" y="${bottom + 18}">${mark}</text>`,
    ]),
    ...bars.flatMap(({ label, value, text }, index) => {
      const y = TOP + ROW * index;
      return [
        `<text class="end" x="${LEFT - 8}" y="${y + 15}">${label}</text>`,
        `<rect class="bar" x="${LEFT}" y="${y}" width="${(x(value) - LEFT).toFixed(1)}" height="${ROW - 8}" rx="3" />`,
        `<text class="quiet" x="${Number(x(value)) + 6}" y="${y + 15}">${text}</text>`,
      ];
    }),
  ]);
}

const HEIGHT = 220;

/**
 * A line for each series, over a logarithmic axis.
 * @param series `{ name, points: [{ x, y }] }`, all with the same x
 */
export function drawLines(title, series) {
  const places = series[0].points.map(({ x }) => x);
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y)));
  const [least, widest] = [Math.log(places[0]), Math.log(places.at(-1))];
  const x = (value) => (LEFT + (WIDTH * (Math.log(value) - least)) / (widest - least)).toFixed(1);
  const y = (value) => (TOP + HEIGHT * (1 - value / most)).toFixed(1);
  return figure(LEFT + WIDTH + 180, TOP + HEIGHT + 40, title, [
    ...[0, most / 2, most].flatMap((mark) => [
      `<line class="grid" x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${y(mark)}" y2="${y(mark)}" />`,
      `<text class="quiet end" x="${LEFT - 8}" y="${Number(y(mark)) + 5}">${mark.toFixed(1)}</text>`,
    ]),
    ...places.map(
      (place) =>
        `<text class="quiet middle" x="${x(place)}" y="${TOP + HEIGHT + 22}">${place.toLocaleString('en')}</text>`,
    ),
    ...series.flatMap(({ name, points }, index) => [
      `<polyline class="line c${index}" points="${points.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}" />`,
      `<text x="${LEFT + WIDTH + 10}" y="${Number(y(points.at(-1).y)) + 5}">${name}</text>`,
    ]),
  ]);
}
