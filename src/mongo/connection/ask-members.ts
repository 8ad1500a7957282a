import { MongoClient } from 'mongodb';

/** What a server says of its replica set. `isreplicaset`: it is meant to be in one, and nobody has initiated it. */
export interface Hello {
  readonly setName?: string;
  readonly isreplicaset?: boolean;
}

/** Why no server of a replica set is found. */
export interface Finding {
  readonly reason: string;
  /** Waiting does not help: each server has answered, and belongs to another set or to none. */
  readonly isFinal: boolean;
}

/**
 * Asks the servers of a URI for their replica set, since the driver leaves out without a word those that are in another
 * one than `replicaSet` names. Undefined if the URI names none, or if its servers come from DNS: so do then the names
 * of sets.
 */
export async function askMembers(uri: string, timeoutMs: number): Promise<Finding | undefined> {
  const { replicaSet, hosts, srvHost } = new MongoClient(uri).options;
  if (replicaSet === undefined || srvHost !== undefined) return undefined;
  const names = hosts.map(String);
  const replies = await Promise.all(names.map((host) => askServer(uriOf(uri, host), timeoutMs)));
  return explainMembers(replicaSet, new Map(names.map((host, index) => [host, replies[index]])));
}

/** Why none of these servers, by host, is one of the replica set; undefined: a server that gives no answer. */
export function explainMembers(name: string, servers: ReadonlyMap<string, Hello | undefined>): Finding | undefined {
  const answers = [...servers.values()].filter((hello) => hello !== undefined);
  if (answers.length === 0) return undefined;
  if (answers.some(({ setName }) => setName === name))
    return { reason: `the replica set ${name} has no primary`, isFinal: false };
  const reasons = [...servers].flatMap(([host, hello]) =>
    hello === undefined ? [] : [explainServer(host, hello, name)],
  );
  const isFinal = answers.length === servers.size && answers.every(({ isreplicaset }) => isreplicaset !== true);
  return { reason: reasons.join('; '), isFinal };
}

function explainServer(host: string, { setName, isreplicaset }: Hello, name: string): string {
  if (setName !== undefined)
    return `${host} is in the replica set ${setName}, not in ${name}, which replicaSet of the URI names`;
  if (isreplicaset === true) return `${host} is in no replica set yet: run rs.initiate() there`;
  return `${host} is in no replica set: remove replicaSet=${name} from the URI, or start the server with --replSet ${name}`;
}

/** A URI of one of its servers, whatever replica set it is in. */
const uriOf = (uri: string, host: string): string =>
  uri
    .replace(/^([^/]*\/\/(?:[^@/?]*@)?)[^/?]*/, `$1${host.startsWith('/') ? encodeURIComponent(host) : host}`)
    .replaceAll(/(?<=[?&])(?:replicaSet|directConnection|loadBalanced)=[^&]*&?/gi, '');

async function askServer(uri: string, timeoutMs: number): Promise<Hello | undefined> {
  const client = new MongoClient(uri, { directConnection: true, serverSelectionTimeoutMS: timeoutMs });
  try {
    return await client.db().admin().command({ hello: 1 });
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}
