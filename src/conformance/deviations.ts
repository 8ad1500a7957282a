import { readFile } from 'node:fs/promises';

/** Gives the rule that stands against the recorded answer of a step; undefined for steps that are judged. */
export type Deviations = (file: string, step: string) => string | undefined;

/** Reads a `deviations.json`: patterns of files and steps whose recorded answer is not to be copied. */
export async function loadDeviations(file: string): Promise<Deviations> {
  const listed = JSON.parse(await readFile(file, 'utf8')) as readonly Readonly<
    Record<'file' | 'step' | 'rule', string>
  >[];
  const patterns = listed.map(({ rule, ...one }) => ({ file: new RegExp(one.file), step: new RegExp(one.step), rule }));
  return (file, step) => patterns.find((one) => one.file.test(file) && one.step.test(step))?.rule;
}
