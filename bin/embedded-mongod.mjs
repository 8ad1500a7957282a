#!/usr/bin/env node
// Serves the embedded engine as if it were the program mongod; see src/mongo/embedded/serve.ts.
await import('../dist/mongo/embedded/serve.js');
