import type { Linkage } from './linkage.js';
import type { Attribute, Component, ComponentAttribute } from '../model/types.js';

/** Reports components that require themselves: they could never be filled. */
export function checkComponentCycles({ components, outlines }: Linkage): void {
  const finished = new Set<Component>();

  const visit = (component: Component, trail: readonly Component[]): void => {
    if (finished.has(component)) return;
    for (const attribute of [...component.attributes.values()].filter(isNeeded)) {
      const next = attribute.component;
      const loop = trail.slice(trail.indexOf(next));
      if (!trail.includes(next)) visit(next, [...trail, next]);
      else {
        const path = [...loop, next].map(({ uid }) => uid).join(' > ');
        outlines
          .get(component.uid)
          ?.report(`attributes.${attribute.name}`, `makes a component contain itself: ${path}`);
      }
    }
    finished.add(component);
  };

  for (const component of components.values()) visit(component, [component]);
}

/** A list may be empty, even a required one, unless `min` is set. */
const isNeeded = (attribute: Attribute): attribute is ComponentAttribute =>
  attribute.kind === 'component' && attribute.required && (!attribute.repeatable || (attribute.min ?? 0) > 0);
