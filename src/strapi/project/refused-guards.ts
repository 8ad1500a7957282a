import { formatPlace } from '../../config/project/locate-setting.js';
import { withoutComments } from '../../config/project/without-comments.js';
import { StartError } from '../../errors/start-error.js';
import type { OpenProject } from '../open-project.js';
import { findRefusedGuards, type RefusedGuard } from '../services/guarded-members.js';
import { allSourcesOf, type Source } from './sources.js';
import type { Unsupported } from './report.js';

type Project = Pick<OpenProject, 'strapi' | 'code'>;

/** What code has in the place of guards of Strapi, and the service cannot run: each stops a start. */
export function describeRefusedGuards({ strapi, code }: Project): readonly Unsupported[] {
  const guards = findRefusedGuards(strapi);
  const sources = guards.length === 0 ? [] : allSourcesOf(code);
  return guards.map((guard) => ({
    ...placeOf(guard, sources, code),
    what: guard.problem,
    consequence: 'the start stops',
  }));
}

/** @throws StartError with a line for each of them */
export function refuseGuards(project: Project): void {
  const lines = describeRefusedGuards(project).map(({ what, ...place }) => `${formatPlace(place)}: ${what}`);
  if (lines.length > 0) throw new StartError(lines.join('\n'));
}

/** Where code most probably defines a member: in an extension first. */
export function placeOf(
  { name, member, sign }: RefusedGuard,
  sources: readonly Source[],
  { extensions }: OpenProject['code'],
): { readonly file: string; readonly line?: number } {
  const service = name.slice(name.lastIndexOf('.') + 1);
  const extended = sources.filter(({ file }) => file.includes('users-permissions'));
  const patterns = [
    ...(sign === undefined ? [] : [sign]),
    new RegExp(String.raw`(?<![.\w])${member}\s*[:(,]|\.${member}\s*=(?!=)`),
    new RegExp(String.raw`\b${member}\b`),
    new RegExp(String.raw`\bservices\b[^;]{0,9}\b${service}\b`),
  ];
  for (const pattern of patterns)
    for (const { file, content } of [...extended, ...sources]) {
      const found = pattern.exec(withoutComments(content));
      if (found !== null) return { file, line: found.input.slice(0, found.index).split('\n').length };
    }
  return { file: extensions.get('users-permissions')?.file ?? 'src' };
}
