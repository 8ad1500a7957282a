import { isDeepStrictEqual } from 'node:util';
import { follow, graphOf, isRefused, namesOf, type Graph } from '../api/documents/relations/follow.js';
import { emptyModel, type Kind, type Model } from '../api/documents/relations/model.js';
import { randomStep, type Step } from '../api/documents/relations/random-writes.js';

/** Sends requests with the token of the project. */
export type Send = (method: string, path: string, data?: object) => Promise<{ status: number; body: any }>; // oxlint-disable-line typescript/no-explicit-any

const collections = { node: 'nodes', leaf: 'leaves' } as const;

/** A client that writes its own entries and records the acknowledged writes. */
export interface Writer {
  /** Writes until a request fails or `goOn` returns false. Returns the number of acknowledged writes. */
  write(send: Send, goOn: () => boolean): Promise<number>;
  /** Reads everything. @throws Error when something that was acknowledged is lost, or something is half done */
  check(send: Send): Promise<void>;
}

/** The acknowledged state: the relations and the label of each entry. */
interface State {
  readonly model: Model;
  /** By kind and id; a node has its label in other places as well. */
  readonly labels: Map<string, string>;
}

/** A request: one write, or a batch of several. */
type Attempt = readonly Write[];

interface Write {
  readonly step: Step;
  readonly label: string;
}

/** The writes of a batch at most. */
const MOST = 3;

export function createWriter(name: string, random: () => number): Writer {
  let state: State = { model: emptyModel(), labels: new Map() };
  let attempt: Attempt | undefined;
  let count = 0;
  const tape = (): readonly number[] => Array.from({ length: 97 }, () => Math.floor(random() * 65_536));
  /**
   * One write, or a batch of writes to several entries: only its last one creates an entry, as the ids of new ones are
   * not known yet.
   */
  const choose = (): { readonly writes: Attempt; readonly isRefused: boolean } => {
    const writes: Write[] = [];
    const most = random() < 0.7 ? 1 : MOST;
    let next = state;
    while (writes.length < most) {
      const write = { step: randomStep(tape(), next.model), label: `${name}:${(count += 1)}` };
      const { of, id } = write.step;
      if (writes.some(({ step }) => step.of === of && step.id === id)) break;
      writes.push(write);
      if (isRefused(next.model, write.step)) return { writes, isRefused: true };
      if (write.step.id === undefined) break;
      next = after(next, [write], write.step.id);
    }
    return { writes, isRefused: false };
  };
  return {
    write: async (send, goOn) => {
      let acknowledged = 0;
      while (goOn()) {
        const chosen = choose();
        attempt = chosen.writes;
        const answer = await sendAttempt(send, attempt, state, random()).catch(() => undefined);
        // The check finds out whether the write was done.
        if (answer === undefined || answer.status >= 500) return acknowledged;
        // A recovery takes seconds at most; the client may repeat its request.
        const isConflict = answer.status === 409;
        const expected = chosen.isRefused ? 400 : 200;
        if (answer.status !== expected && !isConflict) {
          throw new Error(
            `${JSON.stringify(attempt)} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`,
          );
        }
        if (answer.status === 200) state = after(state, attempt, idIn(answer.body));
        attempt = undefined;
        acknowledged += 1;
      }
      return acknowledged;
    },
    check: async (send) => {
      const found = await readAll(send, name);
      const isIt = (one: State): boolean => isSame(describeState(one), found);
      const possible = [state, ...(attempt === undefined ? [] : outcomes(state, attempt, found))];
      const actual = possible.find(isIt);
      if (actual === undefined) {
        const lines = [...possible.map((one) => differences(describeState(one), found)), JSON.stringify(attempt)];
        throw new Error(`${name} finds something else than it knows:\n${lines.join('\n\n')}`);
      }
      state = actual;
      attempt = undefined;
    },
  };
}

function sendAttempt(send: Send, attempt: Attempt, { model }: State, chance: number): ReturnType<Send> {
  // Those that no write of the batch may delete before.
  const deleted = new Set(attempt.flatMap(({ step }) => (step.kind === 'delete' && step.of === 'leaf' ? step.id : [])));
  const leaves = [...model.entries.leaf].filter((id) => !deleted.has(id)).slice(0, 2);
  const [first, ...others] = attempt;
  if (first !== undefined && others.length === 0) {
    const path = `/api/${collections[first.step.of]}`;
    const { id } = first.step;
    if (first.step.kind === 'delete') return send('DELETE', `${path}/${id}`);
    const data = dataOf(first, leaves, chance);
    return id === undefined ? send('POST', path, data) : send('PUT', `${path}/${id}`, data);
  }
  const operations = attempt.map((write) => {
    const { kind, of, id } = write.step;
    const collection = collections[of];
    if (kind === 'delete') return { delete: collection, id };
    const data = dataOf(write, leaves, chance);
    return id === undefined ? { create: collection, data } : { update: collection, id, data };
  });
  return send('POST', '/api/batch', { operations });
}

/** Each node stores its label in four attributes, two of them unique, so that a partial write is noticed. */
function dataOf({ step, label }: Write, leaves: readonly number[], chance: number): object {
  if (step.kind === 'delete') return {};
  const box =
    step.of === 'node' ? { code: label, box: { text: label, code: chance < 0.5 ? label : null, leaves } } : {};
  return { ...step.data, label, ...box };
}

/** The id of the entry that a request has written last. */
// oxlint-disable-next-line typescript/no-explicit-any
const idIn = ({ data }: any): number => [data].flat().at(-1).id;

/** The state after an attempt that was done; only its last write may be of a new entry. */
function after(state: State, attempt: Attempt, last: number): State {
  const next = { model: structuredClone(state.model), labels: new Map(state.labels) };
  for (const { step, label } of attempt) {
    const id = step.id ?? last;
    follow(next.model, step, id);
    if (step.kind === 'delete') next.labels.delete(`${step.of} ${id}`);
    else next.labels.set(`${step.of} ${id}`, label);
  }
  return next;
}

/** The possible states after an attempt, except the previous one. */
function outcomes(state: State, attempt: Attempt, found: Found): readonly State[] {
  const last = attempt.at(-1);
  if (last === undefined) return [];
  const { step, label } = last;
  if (step.id !== undefined) return isDoable(state, attempt) ? [after(state, attempt, step.id)] : [];
  const fresh = Object.keys(found).find((key) => key.startsWith(step.of) && found[key]?.labels[0] === label);
  return fresh === undefined ? [] : [after(state, attempt, Number(fresh.split(' ')[1]))];
}

/** Is none of its writes refused? */
function isDoable(state: State, attempt: Attempt): boolean {
  let next = state;
  for (const write of attempt) {
    if (isRefused(next.model, write.step)) return false;
    next = after(next, [write], write.step.id ?? 0);
  }
  return true;
}

/** By kind and id: all labels of the entry, and its related entries. */
type Found = Readonly<Record<string, { readonly labels: readonly string[]; readonly related: Graph[string] }>>;

function describeState({ model, labels }: State): Found {
  const entries = Object.entries(graphOf(model)).map(([key, related]) => {
    const label = labels.get(key) ?? '';
    return [key, { labels: key.startsWith('node') ? [label, label, label] : [label], related }] as const;
  });
  return Object.fromEntries(entries);
}

/** Jest runs tests in a separate realm, so external objects have other prototypes. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a ?? null), plain(b ?? null));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Describes the entries that differ: expected and found values. */
function differences(state: Found, found: Found): string {
  const keys = [...new Set([...Object.keys(state), ...Object.keys(found)])];
  const differing = keys.filter((key) => !isSame(state[key], found[key]));
  return differing
    .map((key) => `${key}\n  expected ${JSON.stringify(state[key])}\n  found ${JSON.stringify(found[key])}`)
    .join('\n');
}

async function readAll(send: Send, name: string): Promise<Found> {
  const found = await Promise.all((['node', 'leaf'] as const).map((kind) => readKind(send, kind, name)));
  return Object.fromEntries(found.flat());
}

async function readKind(send: Send, kind: Kind, name: string): Promise<readonly (readonly [string, Found[string]])[]> {
  const names = namesOf(kind);
  const populate = names.map((one) => `populate[${one}][fields][0]=id`).join('&');
  const box = kind === 'node' ? '&populate[box]=true' : '';
  const filter = `filters[label][$startsWith]=${encodeURIComponent(`${name}:`)}`;
  const { status, body } = await send(
    'GET',
    `/api/${collections[kind]}?${populate}${box}&${filter}&pagination[limit]=100`,
  );
  if (status !== 200) throw new Error(`Reading was answered with ${status}: ${JSON.stringify(body)}`);
  // oxlint-disable-next-line typescript/no-explicit-any
  return body.data.map(({ id, attributes }: any) => {
    const labels = kind === 'node' ? [attributes.label, attributes.code, attributes.box.text] : [attributes.label];
    const related = names.map((one) => [one, idsIn(attributes[one], one)] as const);
    return [`${kind} ${id}`, { labels, related: Object.fromEntries(related) }] as const;
  });
}

/** The related entries, in REST's format. */
// oxlint-disable-next-line typescript/no-explicit-any
function idsIn(value: any, name: string): readonly unknown[] {
  if (name === 'items') return (value ?? []).map(({ __type, id }: { __type: string; id: number }) => ({ __type, id }));
  if (name === 'subject') return value?.id === undefined ? [] : [value.id];
  return [value.data ?? []].flat().map(({ id }: { id: number }) => id);
}
