import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/**
 * Waits until a started service logs that it is ready.
 * @returns its URL, and all that it has printed until then
 * @throws Error with the output, if the process ends first; or why it cannot be started
 */
export const waitForReady = (
  service: ChildProcessWithoutNullStreams,
): Promise<{ readonly url: string; readonly output: string }> =>
  new Promise((resolve, reject) => {
    let output = '';
    const read = (part: Buffer): void => {
      output += part.toString();
      const [, url] = /Ready on (http:\/\/[^ ]+)/.exec(output) ?? [];
      if (url !== undefined) resolve({ url, output });
    };
    service.stdout.on('data', read);
    service.stderr.on('data', read);
    service.once('error', reject).once('exit', () => reject(new Error(output)));
  });
