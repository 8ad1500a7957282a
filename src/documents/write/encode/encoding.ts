import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import type { LinkChange } from '../../../query/mutation.js';
import type { Data } from '../../context.js';

export interface EncodeOptions {
  /** A new entry: components are all new. */
  readonly isNew: boolean;
  /** What is absent of a new entry or component gets its default. */
  readonly defaults: boolean;
  /** The id of a component that is new. */
  readonly newComponentId: (component: Component, data: Data) => number;
  /** The content type of a morph's target, if it exists and has this entry. */
  readonly morphTarget: (uid: string, id: number) => ContentType | undefined;
}

/** The values to encode: those that are given, and the defaults of those that are not. */
export function givenValues(
  data: Data,
  attributes: ReadonlyMap<string, Attribute>,
  defaults: boolean,
): readonly (readonly [string, unknown])[] {
  return [...attributes.values()].flatMap((attribute) => {
    const { name } = attribute;
    const fallback = defaults && attribute.kind === 'scalar' ? attribute.default : undefined;
    const value = data[name] === undefined ? fallback : data[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** Notes the entries that a change leads to. */
export function collectTarget(
  targets: Map<ContentType, Set<number>>,
  target: ContentType,
  { connect }: Pick<LinkChange, 'connect'>,
): void {
  const known = targets.get(target) ?? new Set();
  for (const { id } of connect) known.add(id);
  targets.set(target, known);
}
