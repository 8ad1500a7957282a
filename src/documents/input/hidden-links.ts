import type { LinkChange } from '../../query/mutation.js';
import { forEachAttribute, type AttributeInput, type EntryInput } from './entry-input.js';
import type { Targets } from './targets.js';

/** Entries cannot be connected to hidden entries or placed next to them: these seem not to exist. */
export function withoutHidden(entry: EntryInput, hidden: Targets): EntryInput {
  return hidden.size === 0 ? entry : new Map([...entry].map(([name, input]) => [name, without(input, hidden)]));
}

function without(input: AttributeInput, hidden: Targets): AttributeInput {
  switch (input.kind) {
    case 'scalar':
      return input;
    case 'relation':
      return { ...input, change: withoutAnchors(input.change, hidden.get(input.attribute.target)) };
    case 'morphed':
      return { ...input, change: withoutAnchors(input.change, hidden.get(input.attribute.target)) };
    case 'morph': {
      const ofTypes = new Map([...hidden].map(([{ uid }, ids]) => [uid, ids]));
      return { ...input, links: input.links.filter(({ __type, id }) => ofTypes.get(__type)?.has(id) !== true) };
    }
    case 'components': {
      const components = input.components.map((component) => ({
        ...component,
        values: withoutHidden(component.values, hidden),
      }));
      return { ...input, components };
    }
    default:
      return input satisfies never;
  }
}

/** A hidden anchor counts as one that is not linked. */
const withoutAnchors = (change: LinkChange, hidden: ReadonlySet<number> = new Set()): LinkChange => ({
  ...change,
  connect: change.connect.map((link) => {
    const { position } = link;
    const isHidden = 'id' in position && hidden.has(position.id) && position.otherwise === 'end';
    return isHidden ? { ...link, position: { at: 'end' } } : link;
  }),
});

/** The first link with a position next to a hidden entry. */
export function findHiddenAnchor(entry: EntryInput, hidden: Targets): LinkChange['connect'][number] | undefined {
  let hiddenAnchor: LinkChange['connect'][number] | undefined;
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation' && input.kind !== 'morphed') return;
    const ids = hidden.get(input.attribute.target);
    hiddenAnchor ??= input.change.connect.find(({ position }) => 'id' in position && ids?.has(position.id) === true);
  });
  return hiddenAnchor;
}
