import type { AuditRecord } from './read-audit.js';
import type { Texts } from '../language/texts.js';

/** Who did something: a name, unless it was erased, or nobody had one. */
export function personOf(texts: Texts, { kind, user, name }: Pick<AuditRecord, 'kind' | 'user' | 'name'>): string {
  if (kind === 'token') return texts.audit.token(name ?? String(user ?? ''));
  if (name !== null) return name;
  if (kind === 'user') return texts.audit.user(user ?? 0);
  return kind === 'public' ? texts.audit.nobody : texts.audit.service;
}
