/** Which records of the audit log are shown; all of it is in the address. Empty: those of everybody, or everything. */
export interface AuditSearch {
  readonly page: number;
  readonly action: string;
  /** The uid of a content type, and the id of one of its entries. */
  readonly of: string;
  readonly entry: string;
  /** The id of a user. */
  readonly user: string;
  /** Days in the time zone of who looks, such as `2030-01-31`; the last one is included. */
  readonly from: string;
  readonly to: string;
}

/** All that an entry can be searched by. */
const names = ['action', 'of', 'entry', 'user', 'from', 'to'] as const;

export const everything: AuditSearch = { page: 1, action: '', of: '', entry: '', user: '', from: '', to: '' };

/** What the query string of an address asks for; what it does not understand is left out. */
export function parseAuditSearch(search: string): AuditSearch {
  const parameters = new URLSearchParams(search);
  const text = (name: (typeof names)[number], pattern: RegExp): string => {
    const value = parameters.get(name) ?? '';
    return pattern.test(value) ? value : '';
  };
  const page = Number(parameters.get('page'));
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    action: text('action', /^[a-z]+$/i),
    of: text('of', /^[\w:.-]+$/),
    entry: text('entry', /^\d{1,15}$/),
    user: text('user', /^\d{1,15}$/),
    from: text('from', DAY),
    to: text('to', DAY),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The query string of a search. */
export function formatAuditSearch(search: AuditSearch): string {
  const parameters = new URLSearchParams(
    names.filter((name) => search[name] !== '').map((name) => [name, search[name]]),
  );
  if (search.page > 1) parameters.set('page', String(search.page));
  return parameters.toString();
}

/** A day as two moments: its beginning, and that of the next one. */
const momentOf = (day: string, later: number): string | undefined => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + later);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

/** The filters of the request for the records. */
export function auditFilters({ action, of, entry, user, from, to }: AuditSearch): object {
  const since = from === '' ? undefined : momentOf(from, 0);
  const before = to === '' ? undefined : momentOf(to, 1);
  return {
    ...(action !== '' && { action: { $eq: action } }),
    ...(of !== '' && { of: { $eq: of } }),
    ...(entry !== '' && { entry: { $eq: entry } }),
    ...(user !== '' && { kind: { $eq: 'user' }, user: { $eq: user } }),
    ...((since ?? before) !== undefined && {
      at: { ...(since !== undefined && { $gte: since }), ...(before !== undefined && { $lt: before }) },
    }),
  };
}
