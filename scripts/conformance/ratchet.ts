import { readFile, writeFile } from 'node:fs/promises';
import type { Score, Scores } from './score.js';

/** The best result of every area, by its name: a later run may do better, never worse. */
export type Ratchet = Readonly<Record<string, Reached>>;

type Reached = Pick<Score, 'judged' | 'lenient' | 'strict'>;

export async function readRatchet(file: string): Promise<Ratchet> {
  const ratchet: Ratchet = JSON.parse(await readFile(file, 'utf8'));
  return ratchet;
}

export async function writeRatchet(file: string, ratchet: Ratchet): Promise<void> {
  await writeFile(file, `${JSON.stringify(ratchet, null, 2)}\n`);
}

/** Every step of the area passes: it must stay so. */
export const coversAllAttributes = ({ judged, lenient }: Reached): boolean => lenient === judged;

/** A line for each area that does worse than it did before. Areas that were not run, or not whole, do not count. */
export function regressions(ratchet: Ratchet, scores: Scores): readonly string[] {
  return Object.entries(ratchet).flatMap(([area, before]) => {
    const now = scores[area];
    if (now?.judged !== before.judged) return [];
    return (['lenient', 'strict'] as const)
      .filter((count) => now[count] < before[count])
      .map((count) => `${area}: ${now[count]} of ${now.judged} steps pass (${count}), ${before[count]} did before`);
  });
}

/** The ratchet after a run. Where the number of judged steps is another, the corpus is: then the run alone counts. */
export function raise(ratchet: Ratchet, scores: Scores): Ratchet {
  const raised = Object.entries(scores).map(([area, { judged, lenient, strict }]): readonly [string, Reached] => {
    const before = ratchet[area];
    if (before?.judged !== judged) return [area, { judged, lenient, strict }];
    return [area, { judged, lenient: Math.max(lenient, before.lenient), strict: Math.max(strict, before.strict) }];
  });
  const all = { ...ratchet, ...Object.fromEntries(raised) };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
