import { isComponent, targetsOf, type DefinedModel } from './models.js';

/** A relation of two content types: a line of the diagram, drawn once for its two sides. */
export interface Line {
  readonly from: string;
  readonly to: string;
  /** The attributes at its two ends; the second is absent for one-way relations. */
  readonly label: string;
  readonly path: string;
  /** Where its label is, which begins or has its middle there. */
  readonly anchor: 'start' | 'middle';
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly uid: string;
  readonly x: number;
  readonly y: number;
}

export interface Diagram {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

export const BOX = { width: 180, height: 64 } as const;
const GAP = { x: 170, y: 36, margin: 16 } as const;
/** How many types without relations stand beside each other. */
const COLUMNS = 3;

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** The relations between content types; that of two attributes is listed once, on the side that stores it. */
export function relationsOf(models: readonly DefinedModel[]): readonly Relation[] {
  const types = new Set(models.filter((model) => !isComponent(model)).map(({ uid }) => uid));
  return models
    .filter(({ uid }) => types.has(uid))
    .flatMap(({ uid, definition }) =>
      Object.entries(definition.attributes)
        .filter(([, { type, mappedBy }]) => type === 'relation' && typeof mappedBy !== 'string')
        .flatMap(([name, attribute]) => {
          const { uids, otherSide } = targetsOf(attribute);
          const label = otherSide === undefined ? name : `${name} ↔ ${otherSide}`;
          return uids.filter((target) => types.has(target)).map((to) => ({ from: uid, to, label }));
        }),
    );
}

/** Draws related types in columns, from the one with the most relations on, and the others below them. */
export function drawDiagram(models: readonly DefinedModel[]): Diagram {
  const relations = relationsOf(models);
  const uids = models.filter((model) => !isComponent(model)).map(({ uid }) => uid);
  const related = uids.filter((uid) => neighboursOf(relations, uid).length > 0);
  const columns = columnsOf(related, relations);
  const tallest = Math.max(0, ...columns.map(({ length }) => length));
  const alone = uids.filter((uid) => !related.includes(uid));
  const place = (uid: string, column: number, row: number): Box => ({
    uid,
    x: GAP.margin + column * (BOX.width + GAP.x),
    y: GAP.margin + row * (BOX.height + GAP.y),
  });
  const boxes = [
    // Shorter columns are in the middle.
    ...columns.flatMap((column, at) => column.map((uid, row) => place(uid, at, row + (tallest - column.length) / 2))),
    ...alone.map((uid, at) => place(uid, at % COLUMNS, tallest + Math.floor(at / COLUMNS))),
  ];
  const edge = (values: readonly number[], size: number, space: number): number =>
    Math.max(0, ...values) + size + space + GAP.margin;
  return {
    boxes,
    lines: drawLines(relations, new Map(boxes.map((box) => [box.uid, box]))),
    // Beside the last column there is room for lines within it.
    width: edge(
      boxes.map(({ x }) => x),
      BOX.width,
      GAP.x / 2,
    ),
    height: edge(
      boxes.map(({ y }) => y),
      BOX.height,
      GAP.y,
    ),
  };
}

const neighboursOf = (relations: readonly Relation[], uid: string): readonly string[] =>
  relations.flatMap(({ from, to }) => (from === uid ? [to] : to === uid ? [from] : []));

/**
 * Each type is in the column after that of the first of its neighbours: lines lead to the next column, or stay in one.
 */
function columnsOf(uids: readonly string[], relations: readonly Relation[]): readonly (readonly string[])[] {
  const columns: string[][] = [];
  const placed = new Set<string>();
  const degree = (uid: string): number => neighboursOf(relations, uid).length;
  for (const start of uids.toSorted((left, right) => degree(right) - degree(left))) {
    let wave: readonly string[] = placed.has(start) ? [] : [start];
    for (let at = 0; wave.length > 0; at += 1) {
      for (const uid of wave) placed.add(uid);
      (columns[at] ??= []).push(...wave);
      wave = [...new Set(wave.flatMap((uid) => neighboursOf(relations, uid)))].filter((uid) => !placed.has(uid));
    }
  }
  return columns;
}

/** Lines end at heights of their own on the side of a box, in the order of what they lead to. */
function drawLines(relations: readonly Relation[], boxes: ReadonlyMap<string, Box>): readonly Line[] {
  const ends = relations.flatMap((relation) => {
    const [from, to] = [boxes.get(relation.from), boxes.get(relation.to)];
    if (from === undefined || to === undefined) return [];
    const [left, right] = from.x <= to.x ? [from, to] : [to, from];
    return [{ relation, left, right, isWithin: left.x === right.x }];
  });
  const rightOf = (box: Box) =>
    ends.filter(({ left, right, isWithin }) => left !== right && (left === box || (isWithin && right === box)));
  const leftOf = (box: Box) => ends.filter(({ right, isWithin }) => right === box && !isWithin);
  const heightOf = (box: Box, side: typeof ends, end: (typeof ends)[number]): number => {
    const farEnd = ({ left, right }: (typeof ends)[number]): number => (left === box ? right : left).y;
    const ordered = side.toSorted((one, other) => farEnd(one) - farEnd(other));
    return box.y + (BOX.height * (ordered.indexOf(end) + 1)) / (side.length + 1);
  };
  return ends.map((end) => {
    const { relation, left, right, isWithin } = end;
    if (left === right) return { ...relation, ...loopBelow(left) };
    const start = { x: left.x + BOX.width, y: heightOf(left, rightOf(left), end) };
    if (isWithin) {
      const y = heightOf(right, rightOf(right), end);
      const bend = start.x + GAP.x / 3;
      const path = `M${start.x} ${start.y}C${bend} ${start.y} ${bend} ${y} ${start.x} ${y}`;
      return { ...relation, path, anchor: 'start', x: start.x + GAP.x / 4 + 4, y: (start.y + y) / 2 };
    }
    const y = heightOf(right, leftOf(right), end);
    const middle = (start.x + right.x) / 2;
    const path = `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${y} ${right.x} ${y}`;
    return { ...relation, path, anchor: 'middle', x: middle, y: (start.y + y) / 2 };
  });
}

/** A relation of a type to itself. */
function loopBelow({ x, y }: Box): Omit<Line, keyof Relation> {
  const [left, right, top] = [x + BOX.width / 2, x + BOX.width * 0.7, y + BOX.height];
  const path = `M${left} ${top}C${left} ${top + 26} ${right} ${top + 26} ${right} ${top}`;
  return { path, anchor: 'start', x: right, y: top + 14 };
}
