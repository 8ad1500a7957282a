import { Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** How much a document asks for; fragments count as often as they are spread. */
export interface Measures {
  /** Of fields within fields; the outermost are at depth 0. What is below `__schema` and `__type` has a depth of its own. */
  readonly depth: number;
  readonly schemaDepth: number;
  readonly aliases: number;
  readonly cost: number;
  /** Fields of the outermost level. */
  readonly roots: number;
  readonly fragments: number;
  /** How often the most repeated field stands in one place. */
  readonly repeats: number;
}

interface Size {
  readonly depth: number;
  readonly schemaDepth: number;
  readonly aliases: number;
  readonly cost: number;
  readonly roots: number;
}

const nothing: Size = { depth: -1, schemaDepth: -1, aliases: 0, cost: 0, roots: 0 };

/** Measures a document in one pass, each fragment once. A fragment in itself counts nothing: validation refuses it. */
export function measure({ definitions }: DocumentNode): Measures {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const sizes = new Map<string, Size>();
  let repeats = 0;

  const sizeOfFragment = (name: string): Size => {
    const before = sizes.get(name);
    const fragment = fragments.get(name);
    if (before !== undefined || fragment === undefined) return before ?? nothing;
    sizes.set(name, nothing);
    const size = sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  };
  const sizeOfField = (field: FieldNode): Size => {
    const alias = field.alias === undefined ? 0 : 1;
    if (field.selectionSet === undefined) return { ...nothing, depth: 0, aliases: alias, cost: 1, roots: 1 };
    const { depth, schemaDepth, aliases, cost } = sizeOf(field.selectionSet);
    const within = Math.max(depth, schemaDepth) + 1;
    const isSchema = field.name.value.startsWith('__');
    return {
      depth: isSchema ? 0 : depth + 1,
      schemaDepth: isSchema ? within : schemaDepth < 0 ? -1 : schemaDepth + 1,
      aliases: aliases + alias,
      cost: cost + 1,
      roots: 1,
    };
  };
  /** `times`: how often each field stands in this place, those of inline fragments included. */
  const sizeOf = ({ selections }: SelectionSetNode, times = new Map<string, number>()): Size => {
    let size = nothing;
    for (const selection of selections) {
      let part: Size;
      switch (selection.kind) {
        case Kind.FIELD: {
          const name = (selection.alias ?? selection.name).value;
          const seen = (times.get(name) ?? 0) + 1;
          times.set(name, seen);
          repeats = Math.max(repeats, seen);
          part = sizeOfField(selection);
          break;
        }
        case Kind.INLINE_FRAGMENT:
          part = sizeOf(selection.selectionSet, times);
          break;
        case Kind.FRAGMENT_SPREAD:
          part = sizeOfFragment(selection.name.value);
          break;
        default:
          return selection satisfies never;
      }
      size = {
        depth: Math.max(size.depth, part.depth),
        schemaDepth: Math.max(size.schemaDepth, part.schemaDepth),
        aliases: size.aliases + part.aliases,
        cost: size.cost + part.cost,
        roots: size.roots + part.roots,
      };
    }
    return size;
  };

  let whole = nothing;
  for (const one of definitions) {
    // Fragments that nobody spreads are refused by validation, but looked at by it first.
    if (one.kind === Kind.FRAGMENT_DEFINITION) sizeOfFragment(one.name.value);
    if (one.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, schemaDepth, aliases, cost, roots } = sizeOf(one.selectionSet);
    whole = {
      depth: Math.max(whole.depth, depth),
      schemaDepth: Math.max(whole.schemaDepth, schemaDepth),
      aliases: whole.aliases + aliases,
      cost: whole.cost + cost,
      roots: whole.roots + roots,
    };
  }
  return { ...whole, repeats, fragments: fragments.size };
}
