import type { Write } from '../../query/mutation.js';
import type { Progress } from './execute-write.js';

/** `run on older`: only for links about which no later write has decided. */
export type RecoveryAction = 'run' | 'run on older' | 'skip';

type Rule = Readonly<Record<Progress, RecoveryAction>>;

/** It asserts an invariant: it can be repeated at any time, in any order. */
const always: Rule = { 'not done': 'run', done: 'run', 'written since': 'run', final: 'run' };
const onceDone: Rule = { ...always, 'not done': 'skip' };
/** It depends on the data of the primary write, which a later write may have changed. */
const unlessNewer: Rule = { 'not done': 'skip', done: 'run on older', 'written since': 'skip', final: 'run' };

/**
 * The action of recovery for a write of an intent, by the progress of the primary write. docs/internals/writes.md has the
 * same table.
 */
export const recoveryRules: Readonly<Record<Write['kind'], Rule>> = {
  takeover: always,
  release: always,
  share: always,
  update: onceDone,
  insert: unlessNewer,
  remove: unlessNewer,
  link: unlessNewer,
  unlink: unlessNewer,
  attach: unlessNewer,
  detach: unlessNewer,
  forget: unlessNewer,
};

/** The write in the form in which recovery executes it. */
export function recoveredForm(write: Write, primary: Write): Write {
  // This writer may not have linked the target, or may have released it since: the other links decide.
  if (write.kind === 'takeover') return { ...write, rank: 0 };
  return write.kind === 'update' ? sharedForm(write, primary) : write;
}

/** Records of former versions name the values that each localization gets. */
function sharedForm({ type, id, changes: { values } }: Write & { readonly kind: 'update' }, primary: Write): Write {
  const names = [...values.keys()].filter((name) => name !== 'updatedAt');
  const from = 'id' in primary ? primary.id : id;
  return { kind: 'share', type, id, from, names, links: true, at: values.get('updatedAt') as Date };
}
