import type { Finding } from './violation.js';
import { describeKind, describeValue, isFields, isId } from './stored-kinds.js';
import { misshape } from './scalar-shapes.js';
import { hasLocaleFields, type Scan } from './scan.js';

/** Looks at one entry for one idea; gives what is wrong. */
export type Rule = (survey: Scan) => readonly Finding[];

const wanted = (path: string, must: string, value: unknown): Finding => ({
  path,
  rule: `must be ${must}, is ${describeValue(value)}`,
});

/** Rules on what an entry's values are. */
export const valueRules = {
  id: ({ document: { _id } }) => (isId(_id) ? [] : [wanted('_id', 'a positive whole number', _id)]),

  strays: ({ strays }) => strays,

  scalars: ({ scalars }) =>
    scalars.flatMap(({ path, attribute, value }) => {
      const must = misshape(value, attribute);
      if (must === undefined) return [];
      const isSecret = attribute.private || attribute.type === 'password';
      return [{ path, rule: `must be ${must}, is ${(isSecret ? describeKind : describeValue)(value)}` }];
    }),

  relations: ({ relations }) =>
    relations.flatMap(({ path, attribute: { many }, value }) => {
      if (Array.isArray(value) !== many) return [wanted(path, many ? 'a list of ids' : 'an id', value)];
      return [value].flat().flatMap((id) => (isId(id) ? [] : [wanted(path, 'a positive whole number', id)]));
    }),

  repeatedIds: ({ relations }) =>
    relations.flatMap(({ path, value }) => {
      const ids: readonly unknown[] = [value].flat();
      if (new Set(ids).size === ids.length) return [];
      const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
      return [...twice].map((id) => ({ path, rule: `holds ${describeValue(id)} more than once` }));
    }),

  morphs: ({ morphs }) =>
    morphs.flatMap(({ path, attribute: { many, candidates }, value }) => {
      if (Array.isArray(value) !== many) return [wanted(path, many ? 'a list of links' : 'one link', value)];
      return [value].flat().flatMap((link: unknown) => {
        // The database compares objects with the order of their fields.
        if (!isFields(link) || Object.keys(link).join() !== '__type,id' || !isId(link['id'])) {
          return [{ path, rule: 'must hold { __type, id }, in this order, and nothing else' }];
        }
        const { __type } = link;
        return candidates.has(String(__type)) ? [] : [wanted(path, 'a link to a content type', __type)];
      });
    }),

  lists: ({ embedded }) =>
    embedded.flatMap(({ path, attribute, value }) => {
      const many = attribute.kind === 'zone' || attribute.repeatable;
      return Array.isArray(value) === many ? [] : [wanted(path, many ? 'a list' : 'one component', value)];
    }),

  components: ({ components }) =>
    components.flatMap(({ path, attribute, value, component }) => {
      if (!isFields(value)) return [wanted(path, 'a component', value)];
      const { id, __component } = value;
      const allowed = attribute.kind === 'zone' ? [...attribute.components.keys()].join(', ') : '';
      return [
        ...(component === undefined ? [wanted(`${path}.__component`, `one of ${allowed}`, __component)] : []),
        ...(isId(id) ? [] : [wanted(`${path}.id`, 'a positive whole number', id)]),
      ];
    }),

  locale: ({ document: { locale = 'none', localizations = [] }, type }) => {
    if (!hasLocaleFields(type)) return [];
    const isText = typeof locale === 'string' && locale !== '';
    const isIds = Array.isArray(localizations) && localizations.every(isId);
    return [
      ...(isText ? [] : [wanted('locale', 'the code of a locale', locale)]),
      ...(isIds ? [] : [wanted('localizations', 'a list of ids', localizations)]),
    ];
  },
} satisfies Readonly<Record<string, Rule>>;
