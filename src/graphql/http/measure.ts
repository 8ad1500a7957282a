import { Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** The size of a document; fragments count each time they are spread. */
export interface Measures {
  /** Depth of nested fields; root fields are at depth 0. Fields below `__schema` and `__type` are measured separately. */
  readonly depth: number;
  /** The name of the operation with this depth; empty if it has none. */
  readonly deepest: string;
  readonly schemaDepth: number;
  readonly aliases: number;
  readonly cost: number;
  /** Fields of the outermost level. */
  readonly roots: number;
  readonly fragments: number;
  /** The number of occurrences of the most repeated field in one selection set. */
  readonly repeats: number;
}

interface Size {
  readonly depth: number;
  readonly schemaDepth: number;
  readonly aliases: number;
  readonly cost: number;
  readonly roots: number;
}

const EMPTY: Size = { depth: -1, schemaDepth: -1, aliases: 0, cost: 0, roots: 0 };

/** Measures a document in one pass, each fragment once. A recursive fragment counts nothing: validation refuses it. */
export function measure({ definitions }: DocumentNode): Measures {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const sizes = new Map<string, Size>();
  let repeats = 0;

  const sizeOfFragment = (name: string): Size => {
    const cached = sizes.get(name);
    const fragment = fragments.get(name);
    if (cached !== undefined || fragment === undefined) return cached ?? EMPTY;
    sizes.set(name, EMPTY);
    const size = sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  };
  const sizeOfField = (field: FieldNode): Size => {
    const alias = field.alias === undefined ? 0 : 1;
    if (field.selectionSet === undefined) return { ...EMPTY, depth: 0, aliases: alias, cost: 1, roots: 1 };
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
  /** `times`: the occurrences of each field in this selection set, including inline fragments. */
  const sizeOf = ({ selections }: SelectionSetNode, times = new Map<string, number>()): Size => {
    let size = EMPTY;
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

  let total = EMPTY;
  let deepest = '';
  for (const definition of definitions) {
    // Validation refuses unused fragments, but inspects them first.
    if (definition.kind === Kind.FRAGMENT_DEFINITION) sizeOfFragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, schemaDepth, aliases, cost, roots } = sizeOf(definition.selectionSet);
    if (depth > total.depth) deepest = definition.name?.value ?? '';
    total = {
      depth: Math.max(total.depth, depth),
      schemaDepth: Math.max(total.schemaDepth, schemaDepth),
      aliases: total.aliases + aliases,
      cost: total.cost + cost,
      roots: total.roots + roots,
    };
  }
  return { ...total, deepest, repeats, fragments: fragments.size };
}
