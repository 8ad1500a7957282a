import { howToInstall, isInstalled, loadPackage } from '../../config/optional-package.js';

/** What `@content-service/embedded-mongod` exports. */
interface EmbeddedMongod {
  /** The program that serves the engine as if it were mongod. */
  readonly program: string;
  readonly describeEngine: () => { readonly version: string } | { readonly unavailable: string };
}

export interface EmbeddedEngine {
  readonly program: string;
  readonly version: string;
}

/** The embedded engine, or why there is none. */
export async function findEmbeddedEngine(): Promise<EmbeddedEngine | { readonly unavailable: string }> {
  if (!isInstalled('embedded-mongod'))
    return { unavailable: `it is not installed (${howToInstall('embedded-mongod')})` };
  const { program, describeEngine } = (await loadPackage('embedded-mongod', 'The embedded engine')) as EmbeddedMongod;
  const engine = describeEngine();
  return 'version' in engine ? { program, version: engine.version } : engine;
}
