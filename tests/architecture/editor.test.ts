import path from 'node:path';
import { expect, test } from '@jest/globals';
import { EDITOR, circlesOf, importsOf, parse, readEditorFiles, sentencesOf } from './source-files.js';

const files = readEditorFiles();
const importsIn = (name: string, text: string): readonly string[] => importsOf(parse(text, name.endsWith('.tsx')));

test('the files of the editor are short, few in each folder, and named in kebab-case', () => {
  expect(files.length).toBeGreaterThan(30);
  const lengths = files.map(({ name, text }) => [name, text.trimEnd().split('\n').length] as const);
  expect(lengths.filter(([, length]) => length > 300)).toEqual([]);
  const folders = files.map(({ name }) => path.posix.dirname(name));
  expect(folders.filter((folder) => folders.filter((other) => other === folder).length > 15)).toEqual([]);
  const kebab = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/;
  expect(files.map(({ name }) => name).filter((name) => !kebab.test(name))).toEqual([]);
});

/** The files that a file imports, without their extensions. */
const targetsOf = (name: string, text: string): readonly string[] =>
  importsIn(name, text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.posix.join(path.posix.dirname(name), specifier).replace(/\.js$/, ''));

test('the editor imports no file of the service: the client of its API is a package', () => {
  const foreign = files
    .flatMap(({ name, text }) => targetsOf(name, text))
    .filter((target) => !target.startsWith(`${EDITOR}/`));
  expect(foreign).toEqual([]);
});

test('imports of the editor are free of circles', () => {
  const modules = files.map(({ name, text }) => ({ name: name.replace(/\.tsx?$/, ''), files: targetsOf(name, text) }));
  expect(modules.some((module) => module.files.includes(`${EDITOR}/form/form-context`))).toBe(true);
  expect(circlesOf(modules)).toEqual([]);
});

test('the model of the editor is pure: it imports no package, no page and no request', () => {
  const model = files.filter(({ name }) => name.startsWith(`${EDITOR}/model/`));
  expect(
    model
      .flatMap(({ name, text }) => [
        ...importsIn(name, text).filter((specifier) => !specifier.startsWith('.')),
        ...targetsOf(name, text),
      ])
      .filter((name) => !name.startsWith(`${EDITOR}/model/`) && name !== `${EDITOR}/language/texts`),
  ).toEqual([]);
});

test('pages that are not encrypted use nothing that browsers keep from them', () => {
  const kept = /\b(randomUUID\(|crypto\.subtle|navigator\.(?:clipboard|serviceWorker|share|locks)\b)/g;
  const uses = files
    .filter(({ text }) => !text.includes('isSecureContext &&'))
    .flatMap(({ name, text }) => [...text.matchAll(kept)].map(([use]) => `${name}: ${use}`));
  expect(uses).toEqual([]);
});

test('what people read is in the tables of languages, and nowhere else', () => {
  const pages = files.filter(({ name }) => !name.startsWith(`${EDITOR}/language/`));
  const sentences = pages.flatMap(({ name, text }) =>
    sentencesOf(parse(text, name.endsWith('.tsx'))).map((sentence) => `${name}: ${sentence}`),
  );
  expect(sentences).toEqual([]);
  expect(sentencesOf(parse('<p title="the last">Save<br />{`${count} entries`}{"Publish now"}</p>;', true))).toEqual([
    'the last',
    'Save',
    ' entries',
    'Publish now',
  ]);
});
