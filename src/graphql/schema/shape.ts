import type { Component, ContentType, RelationAttribute } from '../../content-types/model/types.js';
import type { ReadShape, RelationField, SchemaForm } from '../../plugins/contract/graphql/form.js';
import { memoize } from '../../query/memoize.js';
import { v4Form } from './v4-form.js';
import { applyRules } from './rules.js';

/** The field of a relation, and what it shows. */
interface ShownRelation extends RelationField {
  readonly attribute: RelationAttribute;
}

/** What the fields of a schema mean. */
export interface SchemaShape extends ReadShape {
  /** The fields that show relations, by name. */
  readonly fieldsOf: (model: ContentType | Component) => ReadonlyMap<string, ShownRelation>;
  /** Code of the project sees the entries: they are read with all their plain values. */
  readonly isWhole?: true;
}

export const shapeOf = (read: ReadShape, { relationFields }: Pick<SchemaForm, 'relationFields'>): SchemaShape => ({
  ...read,
  fieldsOf: memoize(
    ({ attributes }: ContentType | Component) =>
      new Map(
        [...attributes.values()].flatMap((attribute) =>
          attribute.kind === 'relation'
            ? relationFields(attribute).map((field) => [field.name, { ...field, attribute }] as const)
            : [],
        ),
      ),
  ),
});

/** That of Strapi v4: entries are in `data`, and their values in `attributes`. */
export const v4Shape: SchemaShape = shapeOf(
  {
    audience: 'client',
    wayTo: ({ response, collection, relationCollection }) =>
      Object.fromEntries([response, collection, relationCollection].map((name) => [name, ['data', 'attributes']])),
    wayToPage: ['meta', 'pagination'],
    wayToGroups: 'data',
    // As recorded: lists contain published entries by default; to-one relations include drafts.
    relatedState: 'stored',
  },
  v4Form(applyRules([])),
);
