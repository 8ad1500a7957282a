export const count = (number: number): string => number.toLocaleString('en');

export function describeSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** One line on a terminal, written over again and again. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** Whether a stream shows colours: it is a terminal, and nothing such as NO_COLOR forbids them. */
export const hasColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.hasColors();

/** What a command tells: lines for people, and what came out of it for programs. */
export interface Output {
  say(line: string): void;
  result(value: object): void;
}

/** Lines on stdout; with `--json` these go to stderr, and stdout gets the result as one JSON object. */
export const createOutput = (json: boolean): Output =>
  json
    ? {
        say: (line) => console.error(line),
        result: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
      }
    : { say: (line) => console.log(line), result: () => undefined };
