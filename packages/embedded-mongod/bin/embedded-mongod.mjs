#!/usr/bin/env node
// Serves the embedded engine as if it were the program mongod; see src/serve.ts.
await import('../dist/serve.js');
