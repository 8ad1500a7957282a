import path from 'node:path';
import type { Environment } from './parse-variables.js';

/** Information of the operating system; not settings of this program. */
export function describeSystem(environment: Environment) {
  return {
    /** MONGOMS_SYSTEM_BINARY, which mongodb-memory-server reads as well. */
    systemBinary: environment['MONGOMS_SYSTEM_BINARY'] || undefined,
    searchPath: (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
  };
}

/** The variables that any program needs to run: no settings and no secrets. */
export function bareEnvironment(): Environment {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];
  return Object.fromEntries(names.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])));
}

/** Whether npm started this process: by `npm start`, `npm run` or `npx`. */
export const isUnderNpm = (): boolean => process.env['npm_lifecycle_event'] !== undefined;

export const readSystem = () => describeSystem(process.env);

/** The variables of this process, before a configuration adds those of files. */
export const processVariables = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });

/** The variable by which `dev` tells a service that another one still has the address. */
export const SUCCESSOR = 'CONTENT_SERVICE_SUCCESSOR';

/** Whether this service prepares itself while the one before it still answers. */
export const isSuccessor = (): boolean => process.env[SUCCESSOR] === 'true';
