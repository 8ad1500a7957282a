import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ScrollText, SearchX, X } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import { readAudit, type AuditRecord } from './read-audit.js';
import { useSession } from '../api/session.js';
import { Choice } from '../inputs/choice.js';
import { DateInput } from '../inputs/dates/date-input.js';
import { useTexts } from '../language/language.js';
import { everything, formatAuditSearch, parseAuditSearch, type AuditSearch } from './audit-search.js';
import { typeOf, type Content } from '../model/schema.js';
import { PageButtons } from '../shell/commands/page-buttons.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { AuditTable } from './audit-table.js';

/** Who did what, the newest first. What is shown is in the address. */
export function AuditPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const [, navigate] = useLocation();
  const search = parseAuditSearch(useSearch());
  const show = (next: AuditSearch): void => {
    const text = formatAuditSearch(next);
    navigate(`/audit${text && `?${text}`}`);
  };
  // Another search begins with its first page.
  const change = (changes: Partial<AuditSearch>): void => show({ ...search, page: 1, ...changes });
  useTitle(texts.audit.title);
  const { data, error } = useQuery({
    queryKey: ['audit', search],
    queryFn: () => readAudit(api, search),
    placeholderData: keepPreviousData,
  });
  const isFiltered = formatAuditSearch({ ...search, page: 1 }) !== '';
  return (
    <section>
      <header className="title">
        <h1>{texts.audit.title}</h1>
      </header>
      <p className="hint">{texts.audit.purpose}</p>
      <div className="toolbar">
        <Choice
          label={texts.audit.action}
          value={search.action}
          onChange={(action) => change({ action })}
          options={[{ value: '', label: texts.audit.everything }, ...optionsOf(texts.audit.actions)]}
        />
        <Choice
          label={texts.common.type}
          value={search.of}
          onChange={(of) => change({ of, entry: '' })}
          options={[
            { value: '', label: texts.audit.everything },
            ...content.contentTypes.map(({ uid, listName }) => ({ value: uid, label: listName })),
          ]}
        />
        <DateInput kind="day" label={texts.audit.from} value={search.from} onChange={(from) => change({ from })} />
        <DateInput kind="day" label={texts.audit.to} value={search.to} onChange={(to) => change({ to })} />
        <Chosen content={content} search={search} name={nameIn(data?.records, search.user)} onChange={change} />
      </div>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading isTable />}
      {data?.records.length === 0 && (
        <Empty icon={isFiltered ? SearchX : ScrollText} title={texts.audit.none}>
          {isFiltered && (
            <button type="button" onClick={() => show(everything)}>
              {texts.list.showAll}
            </button>
          )}
        </Empty>
      )}
      {data !== undefined && data.records.length > 0 && (
        <AuditTable
          content={content}
          records={data.records}
          onEntry={(of, entry) => change({ of, entry })}
          onUser={(user) => change({ user })}
        />
      )}
      {(search.page > 1 || data?.hasMore === true) && (
        <PageButtons
          label={texts.list.pages}
          page={search.page}
          last={undefined}
          hasNext={data?.hasMore === true}
          onPage={(page) => show({ ...search, page })}
        />
      )}
    </section>
  );
}

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** What a user is called in the records of theirs that are shown. */
const nameIn = (records: readonly AuditRecord[] = [], user: string): string | undefined =>
  records.find((record) => record.kind === 'user' && String(record.user) === user)?.name ?? undefined;

interface ChosenProps {
  readonly content: Content;
  readonly search: AuditSearch;
  /** Of the user. */
  readonly name: string | undefined;
  readonly onChange: (changes: Partial<AuditSearch>) => void;
}

/** The user and the entry that were chosen in the table, or by a link that led here. */
function Chosen({ content, search, name, onChange }: ChosenProps) {
  const texts = useTexts();
  const { of, entry, user } = search;
  const chosen = [
    { label: name ?? texts.audit.user(Number(user)), without: { user: '' }, isThere: user !== '' },
    {
      label: `${typeOf(content, of)?.entryName ?? of} ${entry}`,
      without: { entry: '' },
      isThere: entry !== '' && of !== '',
    },
  ].filter(({ isThere }) => isThere);
  if (chosen.length === 0) return undefined;
  return (
    <ul className="filters" aria-label={texts.filters.filters}>
      {chosen.map(({ label, without }) => (
        <li key={label}>
          <bdi>{label}</bdi>
          <button
            type="button"
            className="quiet"
            aria-label={texts.filters.remove(label)}
            onClick={() => onChange(without)}
          >
            <X size={16} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
