import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** `seed` creates the data, `read` changes nothing and may be repeated, `mutate` wants a server of its own. */
export type Phase = 'seed' | 'read' | 'mutate';

/** An answer, as it was recorded or as it came: text that is JSON is parsed. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A request and the answer that was recorded. */
export interface Step {
  readonly name: string;
  /** Steps that follow each other: what one of them captures, only they know. Default: all steps of a scenario. */
  readonly group?: string;
  readonly method?: string;
  readonly path: string;
  readonly auth?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly rawBody?: string;
  readonly multipart?: Multipart;
  /** By name: where in the body of the answer a value for later steps is. */
  readonly capture?: Readonly<Record<string, string>>;
  /** The order of lists in the answer does not count. */
  readonly unordered?: boolean;
  readonly expect: Answer;
}

export interface Multipart {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly files?: readonly {
    readonly field: string;
    /** In the folder `fixtures`. */
    readonly file: string;
    readonly filename?: string;
    readonly type: string;
  }[];
}

/** Steps that follow each other: a file of the corpus. */
export interface Scenario {
  /** The folder that the file is in. */
  readonly area: string;
  /** Below `scenarios`, e.g. `11-filters/02-null.json`. */
  readonly file: string;
  readonly name: string;
  readonly phase: Phase;
  readonly steps: readonly Step[];
}

/** A step that Strapi v4 answers otherwise on another database than the one that was recorded. */
export interface StepOnDatabase {
  /** Of the scenario, below `scenarios`. */
  readonly file: string;
  /** Counted from 1. */
  readonly step: number;
  readonly name: string;
  /** Why its answer is not copied. */
  readonly rule?: string;
  readonly expect: Answer;
}

/** The scenarios as another database answers them. */
export function onDatabase(scenarios: readonly Scenario[], answers: readonly StepOnDatabase[]): readonly Scenario[] {
  const byStep = new Map(answers.map(({ file, step, expect }) => [`${file} ${step}`, expect]));
  return scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step, index) => ({
      ...step,
      expect: byStep.get(`${scenario.file} ${index + 1}`) ?? step.expect,
    })),
  }));
}

/** The scenarios of a corpus, in the order of their files. */
export async function loadScenarios(folder: string): Promise<readonly Scenario[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json'));
  const names = files.map((file) => file.split(path.sep).join('/')).toSorted();
  return Promise.all(
    names.map(async (file): Promise<Scenario> => {
      const content: Partial<Scenario> = JSON.parse(await readFile(path.join(folder, file), 'utf8'));
      const { name = file, phase = 'mutate', steps = [] } = content;
      return { area: file.split('/')[0] ?? '', file, name, phase, steps };
    }),
  );
}
