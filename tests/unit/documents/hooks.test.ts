import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { system } from '../../../src/documents/caller.js';
import { type DocumentHooks, joinHooks, withoutLateErrors } from '../../../src/documents/hooks.js';

const type = { uid: 'api::tag.tag' } as ContentType;
const identity = { writeId: 'w', caller: system, door: 'code' };
const fail = (what: string) => (): never => {
  throw new Error(what);
};

test('what hooks throw after a write is reported, and the hooks after them run', async () => {
  const reported: unknown[] = [];
  const failing: DocumentHooks = {
    beforeDelete: async () => async () => fail('after the deletion')(),
    afterWrite: fail('after the write'),
  };
  const done: string[] = [];
  const others: DocumentHooks = {
    beforeDelete: async () => async () => void done.push('deletion'),
    afterWrite: () => void done.push('write'),
  };
  const hooks = joinHooks([withoutLateErrors(failing, (error) => reported.push((error as Error).message)), others]);
  const afterDelete = await hooks.beforeDelete({ ...identity, type, id: 1 });
  await afterDelete();
  await hooks.afterWrite({ ...identity, action: 'delete', type, id: 1 });
  await hooks.afterTransaction({ ...identity, action: 'delete', type, id: 1 });
  expect(reported).toEqual(['after the deletion', 'after the write', 'after the write']);
  expect(done).toEqual(['deletion', 'write', 'write']);
});

test('what hooks throw before a write refuses it', async () => {
  const failing: DocumentHooks = { prepare: fail('prepare'), beforeDelete: fail('beforeDelete') };
  const hooks = withoutLateErrors(failing, fail('reported'));
  expect(() => hooks.prepare?.({}, {} as never)).toThrow('prepare');
  await expect(hooks.beforeDelete?.({ ...identity, type, id: 1 })).rejects.toThrow('beforeDelete');
});

test('what is saved in a working copy is prepared by plugins alone, and so is what follows a transaction', async () => {
  const done: string[] = [];
  const hooksOf = (owner: string): DocumentHooks => ({
    prepare: (data) => ({ ...data, [owner]: true }),
    afterWrite: () => void done.push(owner),
  });
  const runsCode = ({ uid }: ContentType): boolean => uid === type.uid;
  const hooks = joinHooks([hooksOf('plugin')], [{ ...hooksOf('project'), runsCode }]);
  expect(await hooks.prepare({}, {} as never)).toEqual({ plugin: true, project: true });
  expect(await hooks.prepareCopy({}, {} as never)).toEqual({ plugin: true });
  await hooks.afterTransaction({ ...identity, action: 'update', type, id: 1 });
  expect(done).toEqual(['plugin']);
  expect([hooks.runsCode(type), hooks.runsCode({ uid: 'api::page.page' } as ContentType)]).toEqual([true, false]);
});
