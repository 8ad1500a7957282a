import { expect, test } from '@jest/globals';
import { createCron } from '../../../src/strapi/services/cron.js';
import type { StrapiContext } from '../../../src/strapi/strapi.js';

const open = (error: (line: string) => void = () => undefined) =>
  createCron({ strapi: {}, runtime: () => undefined, log: { error } } as unknown as StrapiContext);
const namesOf = ({ jobs }: ReturnType<typeof open>): readonly string[] =>
  (jobs as readonly { readonly name: string }[]).map(({ name }) => name);
const yearly = { task: () => undefined, options: '0 0 1 1 *' };

test('a task that is refused does not affect the others', () => {
  const errors: string[] = [];
  const cron = open((line) => void errors.push(line))
    .add({ yearly })
    .start();
  // As in Strapi v4, code goes on.
  cron.add({ wrong: { ...yearly, options: 'nonsense' } }).remove('wrong');
  expect(errors).toEqual([expect.stringMatching(/^The cron task wrong does not run: .*nonsense/)]);
  expect(() => cron.add({ wrong: { task: undefined, options: '0 0 1 1 *' } })).toThrow(
    'Could not schedule a cron job for "wrong": no function found.',
  );
  expect(namesOf(cron.stop().start())).toEqual(['yearly']);
  expect(namesOf(cron.add().remove('none').destroy().start())).toEqual([]);
  expect(() => cron.remove('')).toThrow('You must provide a name to remove a cron job.');
  cron.destroy();
});

test('a range in the past ends a task', () => {
  const cron = open()
    .start()
    .add({ yearly: { ...yearly, options: { rule: '* * * * * *', end: new Date(0) } } });
  const [{ job }] = cron['jobs'] as [{ job: { nextRun(): Date | null } }];
  expect(job.nextRun()).toBeNull();
  cron.destroy();
});
