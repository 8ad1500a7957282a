/** Starts GraphiQL in the Playground's page, which says in `settings` what to show. */
const { tabs, title, files } = JSON.parse(document.getElementById('settings').textContent);

const workers = { json: 'json', graphql: 'graphql' };
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => `${files}/${workers[label] ?? 'editor'}.worker.js`,
};
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
  title,
  defaultTabs: tabs,
  // They hold tokens.
  shouldPersistHeaders: false,
  // GraphiQL's own: the history.
  plugins: undefined,
  // The address stays as it is: queries in it would end in histories and logs.
  onEditQuery: () => undefined,
});
