import type { AttributeInput, ComponentInput, EntryInput } from './entry-input.js';

/**
 * The change of an existing entry where components of one list that name the same id become one: at the position of the
 * first, with the values of the later ones over its own, as in Strapi v4.
 */
export const mergeComponents = (entry: EntryInput): EntryInput =>
  new Map([...entry].map(([name, input]) => [name, mergeIn(input)]));

function mergeIn(input: AttributeInput): AttributeInput {
  if (input.kind !== 'components') return input;
  const merged = new Map<unknown, ComponentInput>();
  for (const component of input.components) {
    // New components stay apart, and so does all that is in them.
    const key = component.isNew ? component : `${component.component.uid} ${component.id}`;
    const former = merged.get(key);
    merged.set(key, former ? { ...former, values: new Map([...former.values, ...component.values]) } : component);
  }
  const components = [...merged.values()].map((component) =>
    component.isNew ? component : { ...component, values: mergeComponents(component.values) },
  );
  return { ...input, components };
}
