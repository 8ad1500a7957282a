import type { Sample } from './samples.js';

export interface PageOptions {
  /** Where GraphiQL's files are, e.g. `/graphql/playground`. */
  readonly files: string;
  readonly tabs: readonly Sample[];
}

/** The Playground as HTML. Its settings are data: the page contains no inline script. */
export function renderPage({ files, tabs }: PageOptions): string {
  const settings = JSON.stringify({ title: 'GraphQL Playground', files, tabs }).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL Playground</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files}/graphiql.css" />
    <style>
      html, body, #root { height: 100%; margin: 0; }
      .graphiql-container { height: 100vh; }
      /* On a phone the answer stands below the query. */
      @media (max-width: 42rem) {
        #graphiql-session { flex-direction: column; }
        .graphiql-horizontal-drag-bar, .graphiql-logo { display: none; }
      }
    </style>
  </head>
  <body>
    <noscript>The Playground needs JavaScript.</noscript>
    <div id="root"></div>
    <script id="settings" type="application/json">${settings}</script>
    <script src="${files}/graphiql.js"></script>
    <script src="${files}/start.js"></script>
  </body>
</html>
`;
}
