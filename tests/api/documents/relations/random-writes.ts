import { idsOf, sides, uidOf, type Kind, type Link, type Model, type Place, type Side, type Written } from './model.js';

/** One write, as it is sent and as the model understands it. */
export type Step =
  | { readonly kind: 'delete'; readonly of: Kind; readonly id: number }
  | {
      readonly kind: 'write';
      readonly of: Kind;
      /** Undefined for a new entry. */
      readonly id: number | undefined;
      readonly data: Readonly<Record<string, unknown>>;
      readonly changes: readonly { readonly side: Side; readonly change: Written }[];
      /** The targets of a node and of its items; undefined where nothing is written. */
      readonly subject: Link | null | undefined;
      readonly items: readonly Link[] | undefined;
      /** The nodes that lead to a leaf. */
      readonly notes: Written | undefined;
    };

const FEWEST = 2;
const MOST = 7;

/** Makes a write out of a tape of numbers: each choice takes the next one. */
export function randomStep(tape: readonly number[], model: Model): Step {
  let at = 0;
  const next = (): number => tape[at++ % tape.length] ?? 0;
  const chance = (percent: number): boolean => next() % 100 < percent;
  const oneOf = <T>(list: readonly T[]): T => list[next() % list.length] as T;
  const several = <T>(most: number, make: () => T): readonly T[] => Array.from({ length: next() % (most + 1) }, make);

  const of: Kind = oneOf(['node', 'node', 'leaf']);
  const ids = [...model.entries[of]];
  if (ids.length > FEWEST && chance(8)) return { kind: 'delete', of, id: oneOf(ids) };
  const id = ids.length < FEWEST || (ids.length < MOST && chance(15)) ? undefined : oneOf(ids);
  const data: Record<string, unknown> = {};
  const changes: { side: Side; change: Written }[] = [];

  const place = (side: Side, pool: readonly number[]): Place => {
    const linked = id === undefined ? [] : idsOf(model, side, id);
    const neighbour = oneOf(chance(80) && linked.length > 0 ? linked : pool);
    return oneOf([undefined, undefined, { start: true }, { before: neighbour }, { after: neighbour }] as const);
  };
  /** A value that is written to a relation, in one of its forms. */
  const relation = (side: Side): { readonly sent: unknown; readonly change: Written } => {
    const pool = [...model.entries[side.target]];
    const set = (sent: unknown, listed: readonly number[]) => ({
      sent,
      change: { replaces: true, disconnect: [], connect: unique(listed.map((one) => ({ id: one, place: undefined }))) },
    });
    if (pool.length === 0 || chance(5)) return set(null, []);
    if (chance(40)) {
      const listed = several(side.many ? 4 : 2, () => oneOf(pool));
      const objects = listed.map((one) => ({ id: one }));
      const [only] = listed;
      const forms = [
        listed,
        objects,
        { set: listed },
        { set: objects },
        ...(listed.length === 1 ? [only, { id: only }] : []),
      ];
      return set(oneOf(forms), listed);
    }
    const connect = several(3, () => ({ id: oneOf(pool), place: side.many ? place(side, pool) : undefined }));
    const disconnect = several(2, () => oneOf(pool));
    const sent = {
      connect: connect.map((one) => (one.place === undefined ? one.id : { id: one.id, position: one.place })),
      disconnect,
    };
    return { sent, change: { replaces: false, disconnect, connect: writtenOnce(connect) } };
  };
  const link = (): Link => {
    const kind = oneOf<Kind>(['node', 'leaf']);
    return { __type: uidOf(kind), id: oneOf([...model.entries[kind], 999_999]) };
  };

  for (const side of sides.filter((one) => one.of === of)) {
    // The result of writing both sides of one relation at once depends on their order.
    if (!chance(25) || changes.some((one) => one.side.relation === side.relation)) continue;
    const { sent, change } = relation(side);
    data[side.name] = sent;
    changes.push({ side, change });
  }
  const isNode = of === 'node';
  const subject = isNode && chance(20) ? oneOf([link(), null]) : undefined;
  const items = isNode && chance(20) ? unique(several(3, link)) : undefined;
  const notes = isNode || !chance(25) ? undefined : relation({ ...notesSide, of });
  if (subject !== undefined) data['subject'] = subject;
  if (items !== undefined) data['items'] = items;
  if (notes !== undefined) data['notes'] = notes.sent;
  return { kind: 'write', of, id, data, changes, subject, items, notes: notes?.change };
}

/** The other side of the subjects: without an order of its own, so its places mean nothing. */
const notesSide = { name: 'notes', target: 'node', many: false, relation: '', inverse: true } as const;

/** As the service does: what is written alike counts once. */
const writtenOnce = (connect: Written['connect']): Written['connect'] => [
  ...new Map(connect.map((one) => [JSON.stringify(one), one])).values(),
];

/** As the service does: of equal ids the first counts. */
function unique<T extends { readonly id: number; readonly __type?: string }>(list: readonly T[]): readonly T[] {
  const key = ({ id, __type }: T): string => `${__type} ${id}`;
  return list.filter((one, index) => list.findIndex((other) => key(other) === key(one)) === index);
}
