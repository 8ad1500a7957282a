import os from 'node:os';

/** Tests are compiled by swc (no type check: `tsc` does that once, for all files). */
export default {
  testEnvironment: '<rootDir>/tests/support/environment.mjs',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: [],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Clients of react-admin run without its user interface.
    '^(?:ra-core|react-admin)$': '<rootDir>/tests/third-party-clients/react-admin.ts',
  },
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!ra-strapi-rest/)'],
  runtime: '<rootDir>/tests/support/runtime.mjs',
  globalSetup: '<rootDir>/tests/support/start-database.ts',
  globalTeardown: '<rootDir>/tests/support/stop-database.ts',
  injectGlobals: false,
  testSequencer: '<rootDir>/tests/support/longest-first.mjs',
  // Tests wait for the database and for processes that they start: more workers than cores use that time.
  maxWorkers: os.availableParallelism() * 2,
  // Jest keeps an AsyncLocalStorage of each test file that a process runs, and with it all modules of the file: after a
  // hundred files each promise costs more than the test does. A process is replaced when its heap is as long as this.
  workerIdleMemoryLimit: '800MB',
  // It only ends what hangs: no test may fail because a machine is slow.
  testTimeout: 600_000,
};
