// Compares the answers that `content-service shadow` passes on; see src/cli/commands/shadow/compare-worker.ts.
await import('../dist/cli/commands/shadow/compare-worker.js');
