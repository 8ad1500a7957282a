import { ListFilter } from 'lucide-react';
import { Link } from 'wouter';
import type { AuditRecord } from './read-audit.js';
import { formAddress } from '../api/entries.js';
import { useTexts } from '../language/language.js';
import { listOf, timeOf } from '../language/time-of.js';
import { isListed, labelIn, typeOf, type Content } from '../model/schema.js';
import { personOf } from './person-of.js';

interface Props {
  readonly content: Content;
  readonly records: readonly AuditRecord[];
  /** Shows only what was done with an entry. */
  readonly onEntry: (of: string, entry: string) => void;
  /** Shows only what a user did. */
  readonly onUser: (user: string) => void;
}

export function AuditTable({ content, records, onEntry, onUser }: Props) {
  const texts = useTexts();
  const { audit } = texts;
  const words = new Map<string, string>(Object.entries(audit.factors));
  const actions = new Map<string, string>(Object.entries(audit.actions));
  return (
    <div className="scroll" role="region" aria-label={audit.title} tabIndex={0}>
      <table className="entries unsorted">
        <thead>
          <tr>
            <th scope="col">{audit.entry}</th>
            <th scope="col">{audit.action}</th>
            <th scope="col">{audit.who}</th>
            <th scope="col">{audit.at}</th>
            <th scope="col">{audit.written}</th>
            <th scope="col">{audit.where}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const { id, at, action, of, entry, kind, user, door, address, written, factors } = record;
            const person = personOf(texts, record);
            return (
              <tr key={id}>
                <td className="name">{of !== null && <EntryCell {...{ content, of, entry, onEntry }} />}</td>
                <td>{actions.get(action) ?? action}</td>
                <td data-label={audit.who}>
                  {kind === 'user' && user !== null ? (
                    <button type="button" className="link" onClick={() => onUser(String(user))}>
                      <bdi>{person}</bdi>
                    </button>
                  ) : (
                    <bdi>{person}</bdi>
                  )}
                </td>
                <td data-label={audit.at} className="time">
                  {timeOf(texts, at)}
                </td>
                <td className="wide">
                  {listOf(texts, [
                    ...labelsOf(content, of, written ?? []),
                    ...(factors ?? []).map((factor) => words.get(factor) ?? factor),
                  ])}
                </td>
                <td data-label={audit.where}>{[door, address].filter((part) => part !== null).join(', ')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const labelsOf = (content: Content, of: string | null, names: readonly string[]): readonly string[] => {
  const type = typeOf(content, of ?? '') ?? { attributes: [] };
  return names.map((name) => labelIn(type, name));
};

interface EntryProps extends Pick<Props, 'content' | 'onEntry'> {
  readonly of: string;
  readonly entry: number | null;
}

/** An entry, which opens where the user may see its type, and what else was done with it. */
function EntryCell({ content, of, entry, onEntry }: EntryProps) {
  const { audit } = useTexts();
  const type = typeOf(content, of);
  const label = `${type?.entryName ?? of} ${entry ?? ''}`.trim();
  if (entry === null) return <bdi>{label}</bdi>;
  return (
    <div className="row">
      {type !== undefined && isListed(type) ? <Link href={formAddress(type, entry)}>{label}</Link> : <bdi>{label}</bdi>}
      <button
        type="button"
        className="quiet"
        title={audit.onlyOf(label)}
        aria-label={audit.onlyOf(label)}
        onClick={() => onEntry(of, String(entry))}
      >
        <ListFilter size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
