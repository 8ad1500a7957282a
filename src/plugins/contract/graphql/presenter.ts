import type { EntryPresenter } from '../../../query/entry-presenter.js';

/**
 * Entries in the form of Strapi v4's GraphQL API: the source objects of its types. An entry is a plain record, a
 * relation to one `{ value }` and to many `{ nodes }`; the target of a morph has its type in `__type`.
 */
export const graphqlPresenter: EntryPresenter = {
  name: 'graphql',
  entry: (id, attributes) => {
    // They are built for this entry; a copy costs a tenth of a list. An entry that is only tried has no number, as JSON
    // shows it.
    attributes['id'] = Number.isNaN(id) ? null : id;
    return attributes;
  },
  one: (value) => ({ value }),
  many: (nodes) => ({ nodes }),
  typed: true,
  get morph() {
    return graphqlPresenter;
  },
};
