import type { TypeVersions } from '../../src/mongo/cache/versions.js';

/** These versions, of which it is not logged what led to them. */
export const versionsOf = (versions: Readonly<Record<string, string>>): TypeVersions =>
  new Map(
    Object.entries(versions).map(([type, version]) => [
      type,
      { version, log: async () => [{ version, changes: undefined }] },
    ]),
  );
