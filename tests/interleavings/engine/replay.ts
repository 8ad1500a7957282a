import { BSON } from 'mongodb';
import { operationOf } from '../operations/operations.js';
import { follow, type Recovery } from './examine.js';
import { executeSerially, judge } from './judge.js';
import { execute, type Laboratory } from './scenario.js';

/** Executes one schedule again, and reports each command with its reply, and what is wrong in the end. */
export async function replay(
  laboratory: Laboratory,
  seed: string,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const [names = '', schedule = ''] = seed.split(' @ ');
  const operations = names.split(' | ').map(operationOf);
  const [listed = '', actor, recovery] = schedule.split(':');
  const steps = listed.split(',');
  const crash = actor === undefined ? undefined : { after: steps.length, actor };
  const replies = new Map<string, unknown>();
  const onReply = (id: string, reply: unknown): void => void replies.set(id, reply);
  const choose = follow(steps, recovery as Recovery | undefined);
  const execution = await execute({ ...laboratory, onReply }, operations, choose, crash);
  for (const [index, { id, command }] of execution.steps.entries()) {
    if (index === crash?.after) report(`${crash.actor} dies`);
    const { lsid: _, ...body } = command.body;
    report(
      `${id} ${command.name} ${command.collection}\n  ${BSON.EJSON.stringify(body)}\n  = ${textOf(replies.get(id))}`,
    );
  }
  report(execution.view);
  const problems = judge(execution, await executeSerially(laboratory, operations), crash?.actor);
  report(problems.length === 0 ? 'nothing is wrong' : problems.join('\n'));
  return problems;
}

function textOf(reply: unknown): string {
  const { toObject } = (reply ?? {}) as { toObject?: () => unknown };
  return BSON.EJSON.stringify(toObject === undefined ? (reply ?? null) : toObject.call(reply));
}
