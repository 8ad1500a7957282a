/** The command-line options of the embedded engine's server. */
export interface Options {
  readonly dataPath: string;
  /** Host names, addresses, or paths of Unix sockets. */
  readonly listenOn: readonly string[];
  readonly port: number;
  /** Of the storage engine's cache. */
  readonly cacheMegabytes: number;
  /** Stop when the standard input ends: when the parent is gone. */
  readonly exitOnStdinEnd: boolean;
  readonly version: boolean;
}

/** Command-line options that mongod or the embedded engine does not support. */
export class InvalidOptions extends Error {
  override readonly name = 'InvalidOptions';
}

/** The supported options of mongod; `ignored` options have no effect here, or describe the default. */
const supported: Readonly<Record<string, 'value' | 'flag' | 'ignored value' | 'ignored flag'>> = {
  '--dbpath': 'value',
  '--bind_ip': 'value',
  '--port': 'value',
  '--storageEngine': 'value',
  '--wiredTigerCacheSizeGB': 'value',
  '--bind_ip_all': 'flag',
  '--exitOnStdinEnd': 'flag',
  '--version': 'flag',
  '--unixSocketPrefix': 'ignored value',
  '--logpath': 'ignored value',
  '--setParameter': 'ignored value',
  '--slowms': 'ignored value',
  '--maxConns': 'ignored value',
  '--noauth': 'ignored flag',
  '--quiet': 'ignored flag',
  '--verbose': 'ignored flag',
  '-v': 'ignored flag',
  '--logappend': 'ignored flag',
  '--journal': 'ignored flag',
  '--ipv6': 'ignored flag',
  '--nounixsocket': 'ignored flag',
  '--noscripting': 'ignored flag',
};

const MEGABYTE = 2 ** 20;

/**
 * mongod's default. Source:
 * https://www.mongodb.com/docs/manual/reference/program/mongod/#std-option-mongod.--wiredTigerCacheSizeGB
 */
const defaultCache = (memory: number): number => Math.max(256, Math.floor((memory / MEGABYTE - 1024) / 2));

/**
 * Parses mongod's common options. Options for missing features (replica sets, authentication, TLS) are refused, not
 * ignored.
 * @param memory of the machine or container, in bytes
 * @throws InvalidOptions naming the option
 */
export function parseOptions(args: readonly string[], memory: number): Options {
  const values = new Map<string, string>();
  const tokens = args.flatMap((word) => /^(--\w+)=(.*)$/s.exec(word)?.slice(1) ?? [word]).values();
  for (const name of tokens) {
    const kind = supported[name];
    if (!kind) throw new InvalidOptions(`${name} is not supported by the embedded engine`);
    const value = kind.endsWith('value') ? tokens.next().value : '';
    if (value === undefined) throw new InvalidOptions(`${name} needs a value`);
    values.set(name, value);
  }
  const storageEngine = values.get('--storageEngine') ?? 'wiredTiger';
  if (storageEngine !== 'wiredTiger') throw new InvalidOptions(`--storageEngine ${storageEngine} is not supported`);
  const port = Number(values.get('--port') ?? 27017);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidOptions('--port is not a port number');
  const cache = values.get('--wiredTigerCacheSizeGB');
  const cacheMegabytes = cache === undefined ? defaultCache(memory) : Math.floor(Number(cache) * 1024);
  // The limits of mongod.
  if (!(cacheMegabytes >= 256 && cacheMegabytes <= 10_240_000)) {
    throw new InvalidOptions('--wiredTigerCacheSizeGB is not a number from 0.25 to 10000');
  }
  const addresses = values.has('--bind_ip_all') ? '::' : (values.get('--bind_ip') ?? '127.0.0.1');
  return {
    dataPath: values.get('--dbpath') ?? '/data/db',
    listenOn: addresses.split(',').map((address) => address.trim()),
    port,
    cacheMegabytes,
    exitOnStdinEnd: values.has('--exitOnStdinEnd'),
    version: values.has('--version'),
  };
}
