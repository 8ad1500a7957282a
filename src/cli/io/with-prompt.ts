import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

export type Question = (text: string) => Promise<string>;

/** Asks questions in a terminal. Undefined: the user cancelled. */
export async function withPrompt<T>(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  ask: (question: Question) => Promise<T>,
): Promise<T | undefined> {
  const prompt = createInterface({ input, output });
  const leaving = new AbortController();
  // Ctrl+C and Ctrl+D do that; a question would wait for ever.
  prompt.once('close', () => leaving.abort());
  try {
    return await ask((text) => prompt.question(text, { signal: leaving.signal }));
  } catch (error) {
    if (leaving.signal.aborted) return undefined;
    throw error;
  } finally {
    prompt.close();
  }
}
