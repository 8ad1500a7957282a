import { randomUUID } from 'node:crypto';
import type { MongoClient } from 'mongodb';
import { reasonOf } from '../../errors/reason-of.js';
import { openShared } from '../connection/connect.js';
import { isReplicated } from '../connection/database.js';
import { featureProbes } from './feature-probes.js';
import { operatorProbes, prepareOperators } from './operator-probes.js';
import type { Asked, Probe } from './probe.js';

/** The answer of a database to a probe. */
export interface Finding {
  readonly probe: Probe;
  readonly holds: boolean;
  /** What is worth knowing, or the reason of the failure. */
  readonly detail: string | undefined;
}

/**
 * Tries every feature that the service uses, in a database of its own, which is removed.
 * @param further probes beside those of this module
 * @throws the driver's error if no database can be written
 */
export async function askDatabase(client: MongoClient, further: readonly Probe[]): Promise<readonly Finding[]> {
  const { db } = await openShared(client, `content_service_doctor_${randomUUID().slice(0, 8)}`);
  const asked: Asked = { client, db, isReplicated: await isReplicated(client) };
  try {
    await prepareOperators(asked);
    const findings: Finding[] = [];
    for (const probe of [...featureProbes, ...operatorProbes, ...further]) findings.push(await tryProbe(probe, asked));
    return findings;
  } finally {
    await db.dropDatabase();
  }
}

async function tryProbe(probe: Probe, asked: Asked): Promise<Finding> {
  try {
    return { probe, holds: true, detail: (await probe.ask(asked)) ?? undefined };
  } catch (error) {
    return { probe, holds: false, detail: reasonOf(error) };
  }
}
