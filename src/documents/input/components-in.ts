import type { Attribute, Component } from '../../content-types/model/types.js';
import type { Data } from '../context.js';

/** The components in the value of an attribute, with what each of them is; none in a value of another kind. */
export function componentsIn(
  value: unknown,
  attribute: Attribute | undefined,
): readonly { readonly data: Data; readonly component: Component | undefined }[] {
  if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return [];
  return [value].flat().flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    const data = one as Data;
    const component =
      attribute.kind === 'component' ? attribute.component : attribute.components.get(String(data['__component']));
    return [{ data, component }];
  });
}

/**
 * The id that a component keeps; undefined when it is new and needs one, as all are in what is new. Null is an id that
 * no component has, as in Strapi v4.
 */
export const keptId = ({ id }: Data, isNew: boolean): number | undefined =>
  isNew || id === undefined ? undefined : Number(id ?? Number.NaN);
