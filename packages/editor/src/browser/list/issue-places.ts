import { componentOf, isParts, labelOf, type Content, type Model } from '../model/schema.js';
import type { Part, Values } from '../model/values.js';

/**
 * The names on the way to a value, as the form shows them: `blocks.0.text` is `Blocks`, `Quote 1`, `Text`.
 * @param values absent: those of the entry are not known, nor which component a dynamic zone has at a position
 */
export function placesOf(content: Content, model: Model, values: Values | undefined, path: string): readonly string[] {
  const [name = '', ...inner] = path.split('.');
  const attribute = model.attributes.find((one) => one.name === name);
  const label = attribute?.label ?? labelOf(name);
  if (attribute === undefined || !isParts(attribute) || inner.length === 0) return [label];
  const [first = '', ...behind] = inner;
  const index = attribute.multiple ? Number(first) : 0;
  const part = (values?.[name] as readonly Part[] | undefined)?.[index];
  const uid = part?.component ?? (attribute.type === 'component' ? attribute.components[0] : undefined);
  const rest = attribute.multiple ? behind : inner;
  if (uid === undefined)
    return [label, String(index + 1), ...rest.filter((step) => !/^\d+$/.test(step)).map((step) => labelOf(step))];
  const component = componentOf(content, uid);
  const own = attribute.multiple ? [`${component.displayName} ${index + 1}`] : [];
  return rest.length === 0
    ? [label, ...own]
    : [label, ...own, ...placesOf(content, component, part?.values, rest.join('.'))];
}
