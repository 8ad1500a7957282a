import type * as Jsonc from 'jsonc-parser';
import { lazyRequire } from '../../config/lazy-require.js';

const jsonc = lazyRequire<typeof Jsonc>('jsonc-parser');

/** The first mistake in a text that is to be JSON. */
interface JsonMistake {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** E.g. `colon expected`. */
  readonly problem: string;
}

/** The value of a text, or where it is not JSON, which `JSON.parse` of Node 20 does not always say. */
export function parseJson(text: string): { readonly value: unknown } | JsonMistake {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return findMistake(text);
  }
}

function findMistake(text: string): JsonMistake {
  const { printParseErrorCode, visit } = jsonc();
  const mistakes: JsonMistake[] = [];
  const onError: Jsonc.JSONVisitor['onError'] = (code, _offset, _length, line, column) => {
    const words = printParseErrorCode(code).split(/(?=[A-Z])/);
    mistakes.push({ line: line + 1, column: column + 1, problem: words.join(' ').toLowerCase() });
  };
  visit(text, { onError }, { disallowComments: true });
  // It finds one in exactly the texts that `JSON.parse` refuses.
  return mistakes[0] as JsonMistake;
}
