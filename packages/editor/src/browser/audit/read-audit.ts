import { auditFilters, type AuditSearch } from './audit-search.js';
import type { Api } from '../api/api.js';

/** What was done, and by whom. */
export interface AuditRecord {
  readonly id: number;
  readonly at: string;
  readonly action: string;
  /** The uid of a content type, and the id of an entry; null: it was no write of one. */
  readonly of: string | null;
  readonly entry: number | null;
  readonly kind: string;
  readonly user: number | null;
  readonly name: string | null;
  readonly door: string | null;
  readonly address: string | null;
  /** The names of the written attributes. */
  readonly written: readonly string[] | null;
  /** What proved who logged in. */
  readonly factors: readonly string[] | null;
}

interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly hasMore: boolean;
}

/** How many records are read at once. */
const PAGE_SIZE = 50;

const fields = ['at', 'action', 'of', 'entry', 'kind', 'user', 'name', 'door', 'address', 'written', 'factors'];

/** The records that a search finds, the newest first. */
export async function readAudit(api: Api, search: AuditSearch): Promise<AuditPage> {
  const pagination = { page: search.page, pageSize: PAGE_SIZE };
  const { body } = await api.get('audit', { filters: auditFilters(search), fields, pagination });
  const { data, meta } = body as {
    readonly data: readonly AuditRecord[];
    readonly meta: { readonly pagination: { readonly hasMore: boolean } };
  };
  return { records: data, hasMore: meta.pagination.hasMore };
}
