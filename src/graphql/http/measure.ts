import { Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** The size of a document; fragments count each time they are spread. */
export interface Measures {
  /**
   * Depth of nested fields; root fields are at depth 0. Fields below `__schema` and `__type` are measured separately.
   */
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

type Size = Pick<Measures, 'depth' | 'schemaDepth' | 'aliases' | 'cost' | 'roots'>;

const EMPTY: Size = { depth: -1, schemaDepth: -1, aliases: 0, cost: 0, roots: 0 };

/** The size of two parts beside each other. */
const together = (a: Size, b: Size): Size => ({
  depth: Math.max(a.depth, b.depth),
  schemaDepth: Math.max(a.schemaDepth, b.schemaDepth),
  aliases: a.aliases + b.aliases,
  cost: a.cost + b.cost,
  roots: a.roots + b.roots,
});

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
    const sizes = selections.map((selection): Size => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return sizeOf(selection.selectionSet, times);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(selection.name.value);
      const name = (selection.alias ?? selection.name).value;
      const seen = (times.get(name) ?? 0) + 1;
      times.set(name, seen);
      repeats = Math.max(repeats, seen);
      return sizeOfField(selection);
    });
    return sizes.reduce(together, EMPTY);
  };

  let total = EMPTY;
  let deepest = '';
  for (const definition of definitions) {
    // Validation refuses unused fragments, but inspects them first.
    if (definition.kind === Kind.FRAGMENT_DEFINITION) sizeOfFragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(definition.selectionSet);
    if (size.depth > total.depth) deepest = definition.name?.value ?? '';
    total = together(total, size);
  }
  return { ...total, deepest, repeats, fragments: fragments.size };
}
