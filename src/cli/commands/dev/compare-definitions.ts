import { isDeepStrictEqual } from 'node:util';
import type { AttributeDefinition, LoadedDefinitions } from '../../../content-types/model/definition.js';

type Definitions = Readonly<Record<string, AttributeDefinition>>;
interface Definition {
  readonly attributes: Definitions;
}

/** The differences between two versions of the content types: a line for each change. */
export function compareDefinitions(before: LoadedDefinitions, after: LoadedDefinitions): readonly string[] {
  const [old, current] = [definitionsOf(before), definitionsOf(after)];
  const names = [...new Set([...old.keys(), ...current.keys()])].toSorted();
  return names.flatMap((uid) => {
    const [was, is] = [old.get(uid), current.get(uid)];
    if (was === undefined) return [`+ ${uid}`];
    if (is === undefined) return [`- ${uid}`];
    const { attributes: oldAttributes, ...oldFrame } = was;
    const { attributes, ...frame } = is;
    const framed = isDeepStrictEqual(oldFrame, frame) ? [] : [`~ ${uid}: ${changedKeys(oldFrame, frame)}`];
    return [...framed, ...compareAttributes(uid, oldAttributes, attributes)];
  });
}

const definitionsOf = ({ contentTypes, components, extensions }: LoadedDefinitions): ReadonlyMap<string, Definition> =>
  new Map([...contentTypes, ...components, ...extensions].map(({ uid, definition }) => [uid, definition]));

function compareAttributes(uid: string, before: Definitions, after: Definitions): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (isDeepStrictEqual(was, is)) return [];
    if (was === undefined) return [`+ ${uid}.${name}: ${is?.type}`];
    if (is === undefined) return [`- ${uid}.${name}`];
    return [`~ ${uid}.${name}: ${changedKeys(was, is)}`];
  });
}

/** `type string → text, required → true` */
function changedKeys(before: object, after: object): string {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = [...new Set([...was.keys(), ...is.keys()])].filter(
    (key) => !isDeepStrictEqual(was.get(key), is.get(key)),
  );
  return keys.map((key) => `${key} ${show(was.get(key))}→ ${show(is.get(key)) || 'nothing'}`.trim()).join(', ');
}

const show = (value: unknown): string => (value === undefined ? '' : `${JSON.stringify(value)} `);
