/** A step of a page that a test does: what it shows in a block of code. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  /** The output of the command before. */
  | { readonly kind: 'answer'; readonly text: string };

/**
 * The steps of a page: blocks behind a path in a line of its own, or with `// <path>` in their first, are files, `sh`
 * blocks are commands, and a block of JSON or plain text right behind commands is what the last of them prints.
 */
export function readPage(page: string): readonly Step[] {
  const blocks = page.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$/gms);
  const steps: Step[] = [];
  let end = 0;
  for (const { 0: whole, 1: path, 2: language = '', 3: text = '', index } of blocks) {
    const isBehind = steps.at(-1)?.kind === 'commands' && page.slice(end, index).trim() === '';
    end = index + whole.length;
    const file = path ?? /^\/\/ (\S+\/\S+)\n/.exec(text)?.[1];
    if (file !== undefined) steps.push({ kind: 'file', path: file, text });
    else if (language === 'sh') steps.push({ kind: 'commands', commands: commandsOf(text) });
    else if (isBehind && ['json', ''].includes(language)) steps.push({ kind: 'answer', text });
  }
  return steps;
}

/** A line each, without comments; a backslash at the end joins two. */
const commandsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** What differs in each run has a value on the page that stands for others of its form. */
const ofEachRun: Readonly<Record<string, RegExp>> = {
  createdAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  updatedAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  jwt: /^[\w-]+\.[\w-]+\.[\w-]+$/,
};

const isOfEachRun = (key: string, one: unknown, answer: unknown): boolean =>
  Object.hasOwn(ofEachRun, key) && [one, answer].every((value) => ofEachRun[key]?.test(String(value)));

/** Is an answer as it is shown? `"…"` stands for anything, and a shown object may leave out what is not of interest. */
export function fits(pattern: unknown, answer: unknown): boolean {
  if (pattern === '…') return answer !== undefined;
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(answer) && pattern.length === answer.length && pattern.every((one, at) => fits(one, answer[at]))
    );
  }
  if (typeof pattern !== 'object' || pattern === null) return pattern === answer;
  if (typeof answer !== 'object' || answer === null) return false;
  const values = answer as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([key, one]) => isOfEachRun(key, one, values[key]) || fits(one, values[key]));
}
