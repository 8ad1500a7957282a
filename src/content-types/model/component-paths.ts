import type { Component, ContentType, Registry } from './types.js';
import { allowedComponents, type EmbeddingAttribute } from './walk.js';

/** An attribute on the way to a component, and which of the components that it allows is meant. */
interface ComponentStep {
  readonly attribute: EmbeddingAttribute;
  readonly component: Component;
}

/** Where entries of a type hold a component: its attributes, from the entry inwards. */
export interface ComponentPath {
  readonly type: ContentType;
  readonly steps: readonly ComponentStep[];
}

/** All places where entries hold a component, at any depth. */
export const pathsTo = (component: Component, { contentTypes }: Registry): readonly ComponentPath[] =>
  [...contentTypes.values()].flatMap((type) => stepsTo(component, type).map((steps) => ({ type, steps })));

function stepsTo(
  target: Component,
  { attributes }: Pick<Component, 'attributes'>,
): readonly (readonly ComponentStep[])[] {
  return [...attributes.values()].flatMap((attribute) =>
    allowedComponents(attribute).flatMap((component) => {
      const step = { attribute, component } as ComponentStep;
      const inner = stepsTo(target, component).map((steps) => [step, ...steps]);
      return component === target ? [[step], ...inner] : inner;
    }),
  );
}
