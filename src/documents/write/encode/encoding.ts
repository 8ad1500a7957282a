import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import type { AttributeInput, ComponentInput, EntryInput } from '../../input/entry-input.js';

export interface EncodeOptions {
  /** The entry is created. */
  readonly isNew: boolean;
  /** Absent values of a new entry or component get their defaults. */
  readonly defaults: boolean;
  /** The id of a new component. */
  readonly newComponentId: (component: ComponentInput) => number;
  /** The content type of a morph's target; undefined when the type or the entry does not exist. */
  readonly morphTarget: (uid: string, id: number) => ContentType | undefined;
}

/** What is encoded, in the order of the definition: the attributes that are written, and defaults for the others. */
export function inputsOf(
  entry: EntryInput,
  attributes: ReadonlyMap<string, Attribute>,
  defaults: boolean,
): readonly AttributeInput[] {
  return [...attributes.values()].flatMap((attribute) => {
    const input = entry.get(attribute.name) ?? (defaults ? defaultOf(attribute) : undefined);
    return input === undefined ? [] : [input];
  });
}

/** The default of an attribute, as if a client had written it. */
const defaultOf = (attribute: Attribute): AttributeInput | undefined =>
  attribute.kind === 'scalar' && attribute.default !== undefined
    ? { kind: 'scalar', attribute, value: attribute.default }
    : undefined;
