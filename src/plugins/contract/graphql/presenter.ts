import type { EntryPresenter } from '../../../query/entry-presenter.js';

/**
 * Entries in the form of Strapi v4's GraphQL API: the source objects of its types. An entry is `{ id, attributes }`,
 * a relation `{ data }`; the target of a morph has only attributes, and its type in `__type`.
 */
export const graphqlPresenter: EntryPresenter = {
  name: 'graphql',
  entry: (id, attributes) => ({ id, attributes }),
  one: (data) => ({ data }),
  many: (data) => ({ data }),
  typed: true,
  get morph() {
    return graphqlPresenter;
  },
};
