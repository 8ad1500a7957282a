/** The requests of workloads in Strapi 5's form, which asks for the same entries. */
const person = '{ documentId name email bio createdAt updatedAt }';
const category = 'documentId name slug createdAt updatedAt';
const plain = 'documentId title slug body kind views rating createdAt updatedAt publishedAt';
const tags = 'tags(pagination: { limit: 100 }) { documentId name color createdAt updatedAt }';
const fields = {
  W8: `${plain} author ${person} category { ${category} } ${tags}`,
  W9: `${plain} author ${person} category { ${category} parent { ${category} } } ${tags}
    seo { id metaTitle metaDescription noIndex } links { id label url external }
    blocks { __typename ... on ComponentBenchText { id heading content }
      ... on ComponentBenchQuote { id quote: text source ${person} } ... on ComponentBenchPromo { id title url } }`,
};

const graphql = (name, { path, body }) => {
  const query = `query ($start: Int, $limit: Int) { articles_connection(pagination: { start: $start, limit: $limit }) {
    nodes { ${fields[name]} } pageInfo { page pageSize pageCount total } } }`;
  return { path, body: JSON.stringify({ query, variables: JSON.parse(body).variables }) };
};

/** @param documentIds by the numbers of entries */
export const inStrapi5 = (name, requests, documentIds) =>
  requests.map((request) => {
    if (name in fields) return graphql(name, request);
    const [, id] = /^\/api\/articles\/(\d+)$/.exec(request.path) ?? [];
    return id === undefined ? request : { ...request, path: `/api/articles/${documentIds.get(Number(id))}` };
  });
