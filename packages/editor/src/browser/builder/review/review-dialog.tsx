import { useMutation, useQuery } from '@tanstack/react-query';
import { previewChanges, writeChanges, type Preview } from '../../api/definitions.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import { shorten, type ShownLine } from '../../model/builder/difference.js';
import type { DefinitionChange } from '../../model/builder/edit.js';
import { Dialog } from '../../shell/dialog.js';
import { Loading } from '../../shell/states.js';
import { lineDifference } from './line-difference.js';
import { Refusal } from './refusal.js';

interface Props {
  readonly changes: readonly DefinitionChange[];
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

/** The difference of each file, and what happens to the stored data: nothing is written before that is confirmed. */
export function ReviewDialog({ changes, onClose, onWritten }: Props) {
  const texts = useTexts().builder;
  const { api } = useSession();
  const preview = useQuery({
    queryKey: ['preview', changes],
    queryFn: () => previewChanges(api, changes),
    gcTime: 0,
  });
  const write = useMutation({
    mutationFn: () => writeChanges(api, changes),
    onSuccess: () => {
      onClose();
      onWritten();
    },
  });
  const error = write.error ?? preview.error;
  return (
    <Dialog title={texts.reviewTitle} onClose={onClose} wide>
      {preview.isPending && <Loading />}
      {preview.data !== undefined && <Shown preview={preview.data} />}
      {error !== null && <Refusal error={error} />}
      <div className="actions review">
        <button
          type="button"
          className="primary"
          disabled={preview.data === undefined || write.isPending}
          onClick={() => write.mutate()}
        >
          {texts.write}
        </button>
        <button type="button" onClick={onClose}>
          {texts.goOn}
        </button>
      </div>
    </Dialog>
  );
}

function Shown({ preview: { files, stored } }: { readonly preview: Preview }) {
  const texts = useTexts().builder;
  const { found, unfit, problems } = stored;
  const isSame = found.length + unfit.length + problems.length === 0;
  return (
    <>
      <h3>{texts.storedData}</h3>
      {isSame && <p>{texts.fits}</p>}
      <Findings title={texts.migrates} findings={found} />
      <Findings title={texts.unfit} findings={unfit} />
      {problems.length > 0 && (
        <>
          <p>{texts.problems}</p>
          <ul>
            {problems.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {files.map(({ file, before, after }) => (
        <section key={file} aria-label={file}>
          <h3>{file}</h3>
          <pre className="difference" tabIndex={0}>
            {shorten(lineDifference(before ?? '', after ?? '')).map((line, at) => (
              // Lines have no identity of their own.
              // oxlint-disable-next-line react/no-array-index-key
              <Line key={at} line={line} />
            ))}
          </pre>
        </section>
      ))}
    </>
  );
}

function Line({ line }: { readonly line: ShownLine }) {
  if (line === undefined) return <span className="gap">{' ⋯\n'}</span>;
  const content = `${line}\n`;
  if (line.startsWith('+')) return <ins>{content}</ins>;
  if (line.startsWith('-')) return <del>{content}</del>;
  return <span>{content}</span>;
}

interface FindingsProps {
  readonly title: string;
  readonly findings: Preview['stored']['found'];
}

function Findings({ title, findings }: FindingsProps) {
  const texts = useTexts();
  if (findings.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {findings.map(({ subject, text, entries }) => (
          <li key={`${subject} ${text}`}>
            <code>{subject}</code>: {text}
            {entries > 0 && <span className="tag">{texts.list.entries(entries)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
