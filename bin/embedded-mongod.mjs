#!/usr/bin/env node
// Serves the embedded engine as if it were the program mongod; see src/embedded-mongod/serve.ts.
await import('../dist/embedded-mongod/serve.js');
