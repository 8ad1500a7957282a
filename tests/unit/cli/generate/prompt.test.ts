import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ask } from '../../../../src/cli/commands/generate/generate.js';

/** A user at a terminal: each answer is typed when the next question appears. Undefined: the user leaves. */
function person(answers: readonly (string | undefined)[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...answers];
  let printed = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (!/(?:: |\] |> )$/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) input.end();
    else input.write(`${answer}\n`);
  });
  return { input, output, printed: () => printed, unasked: () => left };
}

test('generate type prompts for each part of a content type', async () => {
  const anna = person(['article', 'n', 'y', 'title:string!', 'kind:enumeration:essay,note', '']);
  expect(await ask('type', anna)).toEqual({
    kind: 'type',
    name: 'article',
    single: false,
    drafts: true,
    attributes: [
      ['title', { type: 'string', required: true }],
      ['kind', { type: 'enumeration', enum: ['essay', 'note'] }],
    ],
  });
  expect(anna.unasked()).toEqual([]);
});

test('an invalid input is reported and prompted for again', async () => {
  const bob = person(['Article!', 'article', 'yes', '', 'title:strin', 'title:string', '']);
  expect(await ask('type', bob)).toMatchObject({
    name: 'article',
    single: true,
    drafts: false,
    attributes: [['title', {}]],
  });
  expect(bob.printed()).toContain('"Article!" is not a valid name; allowed: e.g. article or blog-post\nName');
  expect(bob.printed()).toContain('title:strin: unknown type "strin"; did you mean "string"?\n> ');
});

test('generate component prompts for name and attributes only', async () => {
  const anna = person(['shared.seo', 'metaTitle:string', '']);
  expect(await ask('component', anna)).toMatchObject({
    kind: 'component',
    name: 'shared.seo',
    single: false,
    drafts: false,
  });
  expect(anna.printed()).not.toContain('[y/N]');
});

test.each([[[]], [['article']], [['article', 'n', 'n', 'title:string']]])(
  'end of input after %j stops without a file',
  async (answers) => {
    expect(await ask('type', person(answers))).toBeUndefined();
  },
);
