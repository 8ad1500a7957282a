#!/usr/bin/env node
// Serves the embedded engine as if it were the program mongod; see src/mongo/embedded/serve.ts.
import '../dist/mongo/embedded/serve.js';
