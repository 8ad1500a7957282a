import type { ContentType, Registry } from '../content-types/model/types.js';
import { modelsBehind, reachableModels } from '../content-types/model/walk.js';
import { StartError } from '../errors/start-error.js';
import { grantDrafts, rulesOfDrafts, subjectsOf, uidOfAction, type Access } from '../plugins/contract/access/access.js';

/**
 * Checks that no code of the project answers, with all permissions, what rules limit: an action of a content type that
 * a role or token has rules for, or that leads to such a type through its relations.
 * @param replacement the code that answers an action in place of the service
 * @throws StartError naming the code, the action and the rule
 */
export function checkRules(
  access: Access,
  { contentTypes }: Registry,
  replacement: (type: ContentType, action: string) => string | undefined,
): void {
  const ofDrafts = rulesOfDrafts(contentTypes.values());
  const mistakes = subjectsOf(access).flatMap(([path, declared]) => {
    const { permissions, rules } = grantDrafts({ ...declared, permissions: new Set(declared.permissions) }, ofDrafts);
    const limited = [...rules.keys()].map((action) => [action, uidOfAction(action)] as const);
    return [...permissions].flatMap((action) => {
      const type = contentTypes.get(uidOfAction(action));
      const verb = action.slice(action.lastIndexOf('.') + 1);
      const code = limited.length > 0 && type ? replacement(type, verb) : undefined;
      if (type === undefined || code === undefined) return [];
      const reached = uidsBehind(type);
      const [rule] = limited.find(([, uid]) => reached.has(uid)) ?? [];
      const message = `${code} answers ${action} with all permissions, which would ignore the rule of ${rule}`;
      return rule === undefined
        ? []
        : [`access.json: ${path}: ${message}; remove the override, the permission or the rule`];
    });
  });
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
}

/** The uids of all that entries of a type can lead to, its own too. */
const uidsBehind = (type: ContentType): ReadonlySet<string> =>
  new Set(
    reachableModels([type], (attribute) =>
      attribute.kind === 'morph' ? [...attribute.candidates.values()] : modelsBehind(attribute),
    ).map(({ uid }) => uid),
  );
