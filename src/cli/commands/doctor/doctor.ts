import { readConfig } from '../../../config/load-config.js';
import { connectUnchecked, describeUri } from '../../../mongo/connection/connect.js';
import type { Database } from '../../../mongo/connection/database.js';
import { askDatabase, type Finding } from '../../../mongo/probes/ask-database.js';
import { uses } from '../../../mongo/probes/probe.js';
import { withDatabase } from '../../io/project.js';
import { count, createOutput, type Output } from '../../io/terminal.js';
import { createCorpusProbes } from './corpus.js';

export interface DoctorOptions {
  /** The database to ask; default: that of the project in this folder. */
  readonly uri?: string;
  readonly json: boolean;
}

/** @throws if the database cannot be used at all */
export async function doctor({ uri, json }: DoctorOptions): Promise<0 | 1> {
  const output = createOutput(json);
  const ask = async (description: string, client: Database['client']): Promise<0 | 1> =>
    report(description, await askDatabase(client, createCorpusProbes()), output);
  const askAt = async (address: string): Promise<0 | 1> => {
    const client = await connectUnchecked(address);
    try {
      return await ask(`MongoDB at ${describeUri(address)}`, client);
    } finally {
      await client.close();
    }
  };
  if (uri !== undefined) return askAt(uri);
  const config = await readConfig();
  if (config.database.uri !== undefined) return askAt(config.database.uri);
  return withDatabase(config, ({ description, client }) => ask(description, client), true);
}

/** Prints what is missing by its consequence, and what is worth knowing of the rest. */
function report(database: string, findings: readonly Finding[], { print, result }: Output): 0 | 1 {
  const missing = findings.filter(({ holds }) => !holds);
  const isBroken = missing.some(({ probe }) => uses[probe.use].isNeeded);
  for (const [use, { title, consequence, isNeeded }] of Object.entries(uses)) {
    const lines = missing.filter(({ probe }) => probe.use === use);
    if (lines.length === 0) continue;
    print(`${isNeeded ? 'Missing' : 'Optional'}, for ${title}: ${consequence}`);
    for (const { probe, detail = '' } of lines) print(`  ${probe.name}: ${detail}`);
  }
  for (const { probe, holds, detail } of findings) if (holds && detail !== undefined) print(`${probe.name}: ${detail}`);
  const summary = `${count(findings.length - missing.length)} of ${count(findings.length)} features hold`;
  print(`${database}: ${summary}; the service ${isBroken ? 'cannot use this database' : 'can use this database'}`);
  const listed = findings.map(({ probe: { name, use }, holds, detail }) => {
    const { isNeeded, title, consequence } = uses[use];
    return { name, usedBy: title, isNeeded, holds, detail, ...(!holds && { consequence }) };
  });
  result({ database, usable: !isBroken, features: listed });
  return isBroken ? 1 : 0;
}
