export const count = (number: number): string => number.toLocaleString('en');

/** A number and its noun: "1 entry", "2 entries". */
export const counted = (number: number, singular: string, plural = `${singular}s`): string =>
  `${count(number)} ${number === 1 ? singular : plural}`;

export function describeSeconds(seconds: number): string {
  const rounded = Math.round(seconds);
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

/** One line on a terminal, written over again and again. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** The output of a command: lines for people, and its result for programs. */
export interface Output {
  print(line: string): void;
  result(value: object): void;
}

/** Lines on stdout; with `--json` these go to stderr, and stdout gets the result as one JSON object. */
export const createOutput = (json: boolean): Output =>
  json
    ? {
        print: (line) => console.error(line),
        result: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
      }
    : { print: (line) => console.log(line), result: () => undefined };
