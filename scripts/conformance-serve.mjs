/** Serves the world of a conformance corpus: `npm run conformance:serve`, see docs/internals/conformance.md. */

await import('./setup.mjs');

const { conformanceServe } = await import('../dist/.conformance/conformance-serve.js');
const { onShutdownSignal } = await import('../dist/server/shutdown-signal.js');

process.env.TZ = 'UTC';
const stopped = new Promise((resolve) => {
  onShutdownSignal(resolve);
});
process.exitCode = await conformanceServe(process.argv.slice(2), process.env, stopped);
