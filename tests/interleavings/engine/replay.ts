import { BSON } from 'mongodb';
import { scenarioOf } from '../operations/scenarios.js';
import { pointOfSeed } from './points.js';
import { executeSerially, judge } from './judge.js';
import { executeAgain, type Laboratory } from './scenario.js';

/** Executes one schedule again, and reports each command with its reply, and the problems in the end. */
export async function replay(
  laboratory: Laboratory,
  seed: string,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const [name = '', schedule = ''] = seed.split(' @ ');
  const scenario = scenarioOf(name);
  const point = pointOfSeed(schedule);
  const replies = new Map<string, unknown>();
  const onReply = (id: string, reply: unknown): void => void replies.set(id, reply);
  const execution = await executeAgain({ ...laboratory, onReply }, scenario, point);
  for (const [index, { id, command }] of execution.steps.entries()) {
    for (const { after, actor } of point.crashes) if (after === index) report(`${actor} dies`);
    const { lsid: _, ...body } = command.body;
    report(
      `${id} ${command.name} ${command.collection}\n  ${BSON.EJSON.stringify(body)}\n  = ${textOf(replies.get(id))}`,
    );
  }
  report(execution.view);
  const problems = await judge(execution, scenario.operations, executeSerially(laboratory, scenario));
  report(problems.length === 0 ? 'nothing is wrong' : problems.join('\n'));
  return problems;
}

function textOf(reply: unknown): string {
  const { toObject } = (reply ?? {}) as { toObject?: () => unknown };
  return BSON.EJSON.stringify(toObject === undefined ? (reply ?? null) : toObject.call(reply));
}
