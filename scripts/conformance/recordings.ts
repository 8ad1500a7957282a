import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../src/errors/start-error.js';

type Recording = Readonly<Record<string, unknown>>;

/** Files of a corpus that the service has recorded, and nobody writes by hand. */
const isRecording = (file: string): boolean => file.startsWith('scenarios/') || file === 'webhooks.json';

/** The text that a recording is stored as: JSON with a line for each item of its lists, so that a step is one line. */
export function compactForm(recording: Recording): string {
  const members = Object.entries(recording).map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    const items = value.map((item) => `  ${JSON.stringify(item)}`);
    return ` ${JSON.stringify(name)}: [\n${items.join(',\n')}\n ]`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

/** The text that people read: JSON with a line for each value. */
const printedForm = (value: unknown): string => JSON.stringify(value, null, 1);

/** The recordings of a corpus that are not stored in this form, with the text that they should have. */
export async function notCompact(corpus: string): Promise<ReadonlyMap<string, string>> {
  const files = (await filesOf(corpus)).filter(isRecording).map((file) => path.join(corpus, file));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
  return new Map(
    texts.flatMap(([file, text]) => {
      const compacted = compactForm(parse(text));
      return compacted === text ? [] : [[file, compacted]];
    }),
  );
}

/** Stores the recordings of a corpus in this form; returns the files that it has changed. */
export async function compact(corpus: string): Promise<readonly string[]> {
  const changed = await notCompact(corpus);
  await Promise.all([...changed].map(([file, text]) => writeFile(file, text)));
  return [...changed.keys()];
}

/**
 * A recording for people to read, or one step of it.
 * @param name the beginning of the file's name, and the number of the step: `13-populate/15` or `13-populate/15#3`
 * @throws StartError for a name of no file, or of several
 */
export async function printed(corpus: string, name: string): Promise<string> {
  const [, start = '', number] = /^(.*?)(?:#(\d+))?$/.exec(name) ?? [];
  const [file, ...others] = (await filesOf(corpus)).filter((one) => one.replace(/^scenarios\//, '').startsWith(start));
  if (file === undefined) throw new StartError(`No file of ${corpus} begins with "${start}"`);
  if (others.length > 0) throw new StartError(`"${start}" is the beginning of ${[file, ...others].join(', ')}`);
  const recording = parse(await readFile(path.join(corpus, file), 'utf8'));
  if (number === undefined) return printedForm(recording);
  const steps = Array.isArray(recording['steps']) ? recording['steps'] : [];
  const step: unknown = steps[Number(number) - 1];
  if (step === undefined) throw new StartError(`${file} has ${steps.length} steps, so none is number ${number}`);
  return printedForm(step);
}

const parse = (text: string): Recording => JSON.parse(text) as Recording;

/** The JSON files of a folder, in order, with `/` in their names. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.split(path.sep).join('/'))
    .toSorted();
}
