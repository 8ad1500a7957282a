import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { PAGE_SIZE, readVersions } from '../../api/versions.js';
import { useTexts } from '../../language/language.js';
import { timeOf } from '../../language/time-of.js';
import { labelIn, type Content, type ContentType } from '../../model/schema.js';
import type { Values } from '../../model/values.js';
import { writtenIn, type Version } from '../../model/version.js';
import { Dialog } from '../../shell/dialog.js';
import { Failure } from '../../shell/notices.js';
import { Comparison } from './comparison.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly entry: Entry;
  /** Those in the form. */
  readonly now: Values;
  /** Puts values into the form. */
  readonly onTake: (values: Values) => void;
}

/** A dialog that shows what an entry was after former writes, and takes values of then into the form. */
export function Versions({ onClose, ...props }: Props & { readonly onClose: () => void }) {
  const texts = useTexts();
  const [chosen, setChosen] = useState<Version>();
  const take = (values: Values): void => {
    onClose();
    props.onTake(values);
  };
  const title = chosen === undefined ? texts.versions.title : texts.versions.of(nameOf(texts, chosen));
  return (
    <Dialog title={title} onClose={onClose} wide={chosen !== undefined}>
      {chosen === undefined ? (
        <VersionList {...props} onChoose={setChosen} />
      ) : (
        <Comparison {...props} version={chosen} onBack={() => setChosen(undefined)} onTake={take} />
      )}
    </Dialog>
  );
}

const nameOf = (texts: ReturnType<typeof useTexts>, { at, by }: Version): string =>
  [timeOf(texts, at), ...(by === null ? [] : [texts.form.by(by)])].join(' ');

/** Names of attributes that are shown of one version. */
const MOST_NAMES = 3;

const shorten = (type: ContentType, names: readonly string[] = []): string =>
  names
    .slice(0, MOST_NAMES)
    .map((name) => labelIn(type, name))
    .join(', ') + (names.length > MOST_NAMES ? '…' : '');

function VersionList({ type, entry, onChoose }: Props & { readonly onChoose: (version: Version) => void }) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['versions', type.path, entry.id, entry.attributes['updatedAt']],
    queryFn: ({ pageParam }) => readVersions(api, type, entry.id, pageParam),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (last.length < PAGE_SIZE ? undefined : page + 1),
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p>{texts.common.loading}</p>;
  const versions = data.pages.flat();
  return (
    <>
      <p>{versions.length === 0 ? texts.versions.none : texts.versions.choose}</p>
      <ul className="versions">
        {versions.map((version, index) => (
          <li key={version.id}>
            <button type="button" onClick={() => onChoose(version)}>
              <span>
                {nameOf(texts, version)}
                {version.publishedAt === null && version.copy !== true && (
                  <span className="tag">{texts.common.draft}</span>
                )}
                {version.copy === true && <span className="tag modified">{texts.publication.prepared}</span>}
              </span>
              <span className="quiet-text">{shorten(type, writtenIn(version, versions[index + 1]))}</span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          {texts.versions.older}
        </button>
      )}
    </>
  );
}
