import type { DeclaredAttribute, Linkage, Linker } from './linkage.js';
import { wrongName } from '../model/nearest-name.js';
import { mustBe } from '../load/read-options.js';
import { count } from '../model/settings-schema.js';
import type { Component, ComponentAttribute, ZoneAttribute } from '../model/types.js';

/** Links an attribute that embeds one component, or a list of it. */
export const linkComponent: Linker<ComponentAttribute> = (declared, linkage) => {
  const { base, options } = declared;
  const component = findComponent('component', options.component, declared, linkage);
  const limits = linkLimits(declared);
  if (component === undefined) return undefined;
  return { ...base, kind: 'component', component, repeatable: options.repeatable ?? false, ...limits };
};

/** Links a list of components of several kinds. */
export const linkZone: Linker<ZoneAttribute> = (declared, linkage) => {
  const { base, options, report } = declared;
  if (options.components === undefined) report('components', 'must be a list of component uids');
  const allowed = (options.components ?? []).map((uid, index) =>
    findComponent(`components[${index}]`, uid, declared, linkage),
  );
  const components = new Map(allowed.flatMap((component) => (component ? [[component.uid, component] as const] : [])));
  return { ...base, kind: 'zone', components, ...linkLimits(declared) };
};

function findComponent(
  path: string,
  uid: string | undefined,
  { report }: DeclaredAttribute,
  { components }: Linkage,
): Component | undefined {
  const component = uid === undefined ? undefined : components.get(uid);
  if (component === undefined) report(path, wrongName(uid, 'component', components.keys()));
  return component;
}

function linkLimits({ options, report }: DeclaredAttribute): Pick<ZoneAttribute, 'min' | 'max'> {
  const limits: { min?: number; max?: number } = {};
  for (const name of ['min', 'max'] as const) {
    const limit = options[name];
    if (limit === undefined) continue;
    if (count.test(limit)) limits[name] = limit;
    else report(name, mustBe(limit, count));
  }
  const { min, max } = limits;
  if (min !== undefined && max !== undefined && min > max) report('min', `${min} is more than max ${max}`);
  return limits;
}
