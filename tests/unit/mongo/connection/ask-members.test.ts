import { expect, test } from '@jest/globals';
import { explainMembers, type Hello } from '../../../../src/mongo/connection/ask-members.js';

const alone: Hello = {};
const member = (setName: string): Hello => ({ setName });
const uninitiated: Hello = { isreplicaset: true };

test.each<[string, readonly (Hello | undefined)[], unknown]>([
  ['nobody answers', [undefined, undefined], undefined],
  ['one is a member', [undefined, member('rs0')], { isFinal: false, reason: 'the replica set rs0 has no primary' }],
  [
    'a single server',
    [alone],
    {
      isFinal: true,
      reason: 'a:1 is in no replica set: remove replicaSet=rs0 from the URI, or start the server with --replSet rs0',
    },
  ],
  [
    'another set',
    [member('rs1')],
    { isFinal: true, reason: 'a:1 is in the replica set rs1, not in rs0, which replicaSet of the URI names' },
  ],
  [
    'one that can be initiated',
    [uninitiated],
    { isFinal: false, reason: 'a:1 is in no replica set yet: run rs.initiate() there' },
  ],
  [
    'one of two is down',
    [undefined, member('rs1')],
    { isFinal: false, reason: expect.stringMatching(/^b:2 is in the/) },
  ],
  [
    'two of another set',
    [member('rs1'), member('rs1')],
    { isFinal: true, reason: expect.stringMatching(/^a:1 .*; b:2 /) },
  ],
])('why no server of a replica set is found: %s', (_, answers, finding) => {
  const hosts = ['a:1', 'b:2'];
  expect(explainMembers('rs0', new Map(answers.map((hello, index) => [hosts[index] ?? '', hello])))).toEqual(finding);
});
