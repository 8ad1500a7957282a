import type { Finding } from './violation.js';
import { describeKind, describeValue, isFields, isId } from './stored-kinds.js';
import { misshape } from './scalar-shapes.js';
import { hasLocaleFields, type ScannedValue, type Scan } from './scan-entry.js';

/** Checks one aspect of an entry; returns the violations. */
export type Rule = (scan: Scan) => readonly Finding[];

const mistyped = (path: string, expected: string, value: unknown): Finding => ({
  path,
  rule: `must be ${expected}, is ${describeValue(value)}`,
});

/** What the value of an attribute must be as a whole; undefined if it is that. */
export function formExpected({ attribute, value }: Pick<ScannedValue, 'attribute' | 'value'>): string | undefined {
  const chosen = (many: boolean, list: string, one: string): string | undefined =>
    Array.isArray(value) === many ? undefined : many ? list : one;
  switch (attribute.kind) {
    case 'scalar':
      return misshape(value, attribute);
    case 'relation':
      return chosen(attribute.many, 'a list of ids', 'an id');
    case 'morph':
      return chosen(attribute.many, 'a list of links', 'one link');
    case 'component':
      return chosen(attribute.repeatable, 'a list', 'one component');
    case 'zone':
      return chosen(true, 'a list', 'one component');
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Rules for the values of an entry. */
export const valueRules = {
  id: ({ document: { _id } }) => (isId(_id) ? [] : [mistyped('_id', 'a positive whole number', _id)]),

  unexpectedFields: ({ unexpectedFields }) => unexpectedFields,

  scalars: ({ scalars }) =>
    scalars.flatMap(({ path, attribute, value }) => {
      const expected = misshape(value, attribute);
      if (expected === undefined) return [];
      const isSecret = attribute.private || attribute.type === 'password';
      return [{ path, rule: `must be ${expected}, is ${(isSecret ? describeKind : describeValue)(value)}` }];
    }),

  relations: ({ relations }) =>
    relations.flatMap(({ path, attribute, value }) => {
      const form = formExpected({ attribute, value });
      if (form !== undefined) return [mistyped(path, form, value)];
      return [value].flat().flatMap((id) => (isId(id) ? [] : [mistyped(path, 'a positive whole number', id)]));
    }),

  repeatedIds: ({ relations }) =>
    relations.flatMap(({ path, value }) => {
      const ids: readonly unknown[] = [value].flat();
      if (new Set(ids).size === ids.length) return [];
      const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
      return [...twice].map((id) => ({ path, rule: `contains ${describeValue(id)} more than once` }));
    }),

  morphs: ({ morphs }) =>
    morphs.flatMap(({ path, attribute, value }) => {
      const form = formExpected({ attribute, value });
      if (form !== undefined) return [mistyped(path, form, value)];
      return [value].flat().flatMap((link: unknown) => {
        // The database compares objects with the order of their fields.
        if (!isFields(link) || Object.keys(link).join() !== '__type,id' || !isId(link['id'])) {
          return [{ path, rule: 'must be { __type, id }, in this order' }];
        }
        const { __type } = link;
        return attribute.candidates.has(String(__type)) ? [] : [mistyped(path, 'a link to a content type', __type)];
      });
    }),

  lists: ({ embedded }) =>
    embedded.flatMap(({ path, attribute, value }) => {
      const form = formExpected({ attribute, value });
      return form === undefined ? [] : [mistyped(path, form, value)];
    }),

  components: ({ components }) =>
    components.flatMap(({ path, attribute, value, component }) => {
      if (!isFields(value)) return [mistyped(path, 'a component', value)];
      const { id, __component } = value;
      const allowed = attribute.kind === 'zone' ? [...attribute.components.keys()].join(', ') : '';
      return [
        ...(component === undefined ? [mistyped(`${path}.__component`, `one of ${allowed}`, __component)] : []),
        ...(isId(id) ? [] : [mistyped(`${path}.id`, 'a positive whole number', id)]),
      ];
    }),

  locale: ({ document: { locale = 'none', localizations = [] }, type }) => {
    if (!hasLocaleFields(type)) return [];
    const isText = typeof locale === 'string' && locale !== '';
    const isIds = Array.isArray(localizations) && localizations.every(isId);
    return [
      ...(isText ? [] : [mistyped('locale', 'the code of a locale', locale)]),
      ...(isIds ? [] : [mistyped('localizations', 'a list of ids', localizations)]),
    ];
  },
} satisfies Readonly<Record<string, Rule>>;
