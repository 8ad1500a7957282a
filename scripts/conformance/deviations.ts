import { readFile } from 'node:fs/promises';

/** Returns the rule that stands against the recorded answer of a step; undefined for steps that are judged. */
export type Deviations = (file: string, step: string) => string | undefined;

type Deviation = Readonly<Record<'file' | 'step' | 'rule', string>>;

/** Reads a `deviations.json`: patterns of files and steps whose recorded answer is not to be copied. */
export async function loadDeviations(file: string): Promise<Deviations> {
  const listed: readonly Deviation[] = JSON.parse(await readFile(file, 'utf8'));
  const patterns = listed.map(({ rule, ...one }) => ({ file: new RegExp(one.file), step: new RegExp(one.step), rule }));
  return (file, step) => patterns.find((one) => one.file.test(file) && one.step.test(step))?.rule;
}
