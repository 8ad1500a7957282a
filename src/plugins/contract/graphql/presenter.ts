import type { EntryPresenter } from '../../../query/entry-presenter.js';

/**
 * Entries as Strapi v4's GraphQL API has them: the objects that its types read from. An entry is `{ id, attributes }`,
 * what a relation leads to `{ data }`; behind a morph, whose type `__type` names, there are attributes alone.
 */
export const graphqlPresenter: EntryPresenter = {
  entry: (id, attributes) => ({ id, attributes }),
  one: (data) => ({ data }),
  many: (data) => ({ data }),
  typed: true,
  get morph() {
    return graphqlPresenter;
  },
};
