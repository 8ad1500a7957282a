import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withoutComments } from '../../config/project/without-comments.js';

/** What code registers that guards access in Strapi v4, and where. */
export interface RegisteredGuard {
  readonly kind: 'strategy' | 'sanitizer';
  readonly line: number;
  /** It is from an unchanged file of Strapi v4: the service does the same. */
  readonly isOwn: boolean;
}

/**
 * Hashes of what users-permissions of Strapi 4.0 to 4.26 has for its own guards, without what formatters change: the
 * strategy, the sanitizer of output, and what that requires.
 */
export const ownTexts: ReadonlySet<string> = new Set([
  'ca8b8bd9c535a5e0',
  '594c494589970f2f',
  '746ab3ddef96f8a2',
  '729b3adbe1585ecf',
  '1ad98267203b3dc7',
  '94c2fbe51bd679d8',
  'fda5f8fe7d9be006',
  'b645d9316d278a3f',
]);

/** A hash of a file's text that comments, white space and the marks that formatters choose do not change. */
export function hashOfText(text: string): string {
  const bare = withoutComments(text)
    .replaceAll(/["`]/g, "'")
    .replaceAll("'use strict'", '')
    .replaceAll(/[\s;]/g, '')
    .replaceAll(/,(?=[)\]}])/g, '')
    .replaceAll(/\((\w+)\)=>/g, '$1=>');
  return createHash('sha256').update(bare).digest('hex').slice(0, 16);
}

/** Whether a file is one of Strapi's own guards, which does not run: the service does the same. */
export const isOwnText = (text: string): boolean => ownTexts.has(hashOfText(text));

const calls: Readonly<Record<RegisteredGuard['kind'], RegExp>> = {
  strategy: /\.\s*register\(\s*['"`]content-api['"`]\s*,\s*([\w$]*)/g,
  sanitizer: /\bsanitizers['"`)]*\s*\.\s*add\(\s*['"`][\w.-]+['"`]\s*,\s*([\w$]*)/g,
};

/** The names that the service's own strategies have. */
const ownName = /\bname\s*:\s*['"`](?:users-permissions|api-token)['"`]/;

/**
 * The guards that a file registers, as far as its text shows: sanitizers, and strategies in the place of the service's
 * own.
 * @param file its path, from which it requires others
 */
export function findGuards(file: string, text: string, own = ownTexts): readonly RegisteredGuard[] {
  // Most files have none.
  if (!text.includes('content-api')) return [];
  const code = withoutComments(text);
  return (['strategy', 'sanitizer'] as const).flatMap((kind) =>
    [...code.matchAll(calls[kind])].flatMap((match): readonly RegisteredGuard[] => {
      const request = requestOf(match[1] ?? '', code);
      const source = request?.startsWith('.') === true ? fileOf(path.resolve(path.dirname(file), request)) : undefined;
      const named = source === undefined ? code : fs.readFileSync(source, 'utf8');
      const isOfPackage = request?.startsWith('@strapi/plugin-users-permissions/') === true;
      if (kind === 'strategy' && !isOfPackage && !ownName.test(named)) return [];
      const line = code.slice(0, match.index).split('\n').length;
      return [{ kind, line, isOwn: isOfPackage || (source !== undefined && isOwnFile(source, own)) }];
    }),
  );
}

/** What a file requires under this name. */
const requestOf = (name: string, code: string): string | undefined =>
  name === ''
    ? undefined
    : new RegExp(
        String.raw`\b(?:(?:const|let|var)\s+${name}\s*=\s*require\(|import\s+(?:\*\s*as\s+)?${name}\s+from)\s*['"${'`'}]([^'"${'`'}]+)`,
      ).exec(code)?.[1];

const fileOf = (place: string): string | undefined =>
  [place, `${place}.js`, `${place}.ts`, path.join(place, 'index.js'), path.join(place, 'index.ts')].find(
    (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  );

/** Whether a file and what it requires beside it are unchanged. What is above it is not what guards. */
function isOwnFile(file: string, own: ReadonlySet<string>): boolean {
  const text = fs.readFileSync(file, 'utf8');
  const beside = [...text.matchAll(/require\(\s*['"](\.\/[^'"]+)['"]\s*\)/g)].map(([, request = '']) =>
    fileOf(path.resolve(path.dirname(file), request)),
  );
  return own.has(hashOfText(text)) && beside.every((inner) => inner !== undefined && isOwnFile(inner, own));
}
