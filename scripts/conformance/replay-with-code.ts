import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compare } from './compare.js';
import { projectCodes } from './project-code.js';
import type { Outcome } from './replay.js';
import { describeOutcome } from './report.js';
import { runCorpus, type CorpusRun } from './run-corpus.js';

type ReplayedCode = keyof typeof projectCodes;

/** A step that is answered otherwise with code that changes no answer, and why. */
interface Explanation extends Readonly<Record<'file' | 'step' | 'reason', string>> {
  readonly code: readonly ReplayedCode[];
}

/** How the answers of a project with code stand beside those without. */
export interface CodeResult {
  readonly code: ReplayedCode;
  /** Steps that are as recorded, but for the wording of errors. */
  readonly passed: number;
  readonly judged: number;
  /**
   * The steps that are answered otherwise, though no reason is listed; their differences are those from the answers
   * without code.
   */
  readonly unexplained: readonly Outcome[];
  readonly explained: readonly Outcome[];
  /** Reasons that are listed for a step that is answered as without code. */
  readonly needless: readonly string[];
}

/**
 * Replays a corpus without code, and then with each code that changes no answer: all answers must stay.
 * @param onResult hears of each code when it is done
 */
export async function replayWithCode(
  run: CorpusRun,
  onResult: (result: CodeResult) => void = () => undefined,
): Promise<readonly CodeResult[]> {
  const explanations = await readExplanations(path.join(run.corpus, 'code-differences.json'));
  const { outcomes: plain } = await runCorpus(run);
  const results: CodeResult[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the table
  for (const code of Object.keys(projectCodes) as readonly ReplayedCode[]) {
    const { outcomes } = await runCorpus({ ...run, code });
    const known = explanations.filter((one) => one.code.includes(code));
    const result = judge(code, plain, outcomes, known, run.only !== undefined);
    results.push(result);
    onResult(result);
  }
  return results;
}

const readExplanations = async (file: string): Promise<readonly Explanation[]> =>
  JSON.parse(await readFile(file, 'utf8')) as readonly Explanation[];

function judge(
  code: ReplayedCode,
  plain: readonly Outcome[],
  outcomes: readonly Outcome[],
  explanations: readonly Explanation[],
  isPart: boolean,
): CodeResult {
  const before = new Map(plain.map((one) => [placeOf(one), one]));
  const reasons = new Map(explanations.map(({ file, step, reason }) => [`${file} ${step}`, reason]));
  const differing = outcomes.flatMap((outcome): readonly Outcome[] => {
    const expected = before.get(placeOf(outcome))?.answer;
    if (expected === undefined || outcome.answer === undefined)
      return expected === outcome.answer ? [] : [{ ...outcome, rule: undefined }];
    const { strict } = compare(expected, outcome.answer, outcome.unordered);
    return strict.length === 0 ? [] : [{ ...outcome, rule: undefined, lenient: strict, strict }];
  });
  const reasonOf = ({ file, name }: Outcome): string | undefined => reasons.get(`${file} ${name}`);
  const met = new Set(differing.map(({ file, name }) => `${file} ${name}`));
  const judged = outcomes.filter(({ rule }) => rule === undefined);
  return {
    code,
    passed: judged.filter(({ lenient }) => lenient.length === 0).length,
    judged: judged.length,
    unexplained: differing.filter((one) => reasonOf(one) === undefined),
    explained: differing.filter((one) => reasonOf(one) !== undefined),
    needless: isPart ? [] : [...reasons.keys()].filter((step) => !met.has(step)),
  };
}

const placeOf = ({ file, step }: Outcome): string => `${file} ${step}`;

/** The lines about one code. */
export const describeCode = ({
  code,
  passed,
  judged,
  unexplained,
  explained,
  needless,
}: CodeResult): readonly string[] => [
  `${code}: ${projectCodes[code]}`,
  `  ${passed} of ${judged} steps as recorded; ${explained.length} answered otherwise with a reason, ${unexplained.length} without`,
  ...unexplained.flatMap((outcome) => describeOutcome(outcome, true)).map((line) => `  ${line}`),
  ...needless.map((step) => `  answered as without code, so it needs no reason: ${step}`),
];
