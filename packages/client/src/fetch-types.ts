import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds to wait for the service. */
const TIMEOUT_MS = 30_000;

const HINTS: Readonly<Record<number, string>> = {
  401: 'pass a valid API token with --token',
  403: 'pass an API token of type full-access with --token',
  404: 'it has no such route: check the URL and the version of the service',
};

/** Why a service does not return its types, for people. */
export class TypesUnavailable extends Error {
  override readonly name = 'TypesUnavailable';
}

export interface TypesRequest {
  /** The package that the types are for. */
  readonly client: string;
  /** A role of `access.json`; undefined: all content types with all attributes. */
  readonly role: string | undefined;
  /** An API token for the service. */
  readonly token: string | undefined;
  /** The format of the API: `4`, the default, or `5`. */
  readonly format?: string | undefined;
  /** The path of the API. Default: that of the format. */
  readonly path?: string | undefined;
}

/** The content types of a running service as TypeScript. @throws TypesUnavailable */
export async function fetchTypes(address: string, request: TypesRequest): Promise<string> {
  const { client, role, token, format = '4' } = request;
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new TypesUnavailable(`--url ${address} is not a URL; allowed: e.g. http://localhost:1337`);
  }
  if (format !== '4' && format !== '5') throw new TypesUnavailable(`--format ${format} is not 4 or 5`);
  const { path: prefix = format === '5' ? '/v5/api' : '/api' } = request;
  const query = new URLSearchParams({ client, ...(role !== undefined && { role }) });
  const url = `${address.replace(/\/+$/, '')}${prefix}/content-type-builder/types?${query.toString()}`;
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    const { cause } = error as Error;
    throw new TypesUnavailable(`${address} does not answer: ${cause instanceof Error ? cause.message : String(error)}`);
  });
  if (response.ok) return response.text();
  const hint = HINTS[response.status];
  throw new TypesUnavailable(
    `${url} answers with the status ${response.status}${hint === undefined ? '' : `: ${hint}`}`,
  );
}

/** Writes types to a file, or to standard output. */
export async function writeTypesTo(out: string | undefined, text: string): Promise<void> {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await mkdir(path.dirname(path.resolve(out)), { recursive: true });
  await writeFile(out, text);
  console.log(`Written: ${out}`);
}
