/**
 * `npm start`: completes the installation and the build if something is missing, then runs the service in this process.
 */
await import('./setup.mjs');
await import('../dist/main.js');
