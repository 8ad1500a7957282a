import { Link } from 'wouter';
import { formAddress, type Entry } from '../../api/entries.js';
import { useTexts } from '../../language/language.js';
import { changedBy, stateOf, type BulkAction } from '../../model/lists/bulk.js';
import type { Content, ContentType } from '../../model/schema.js';
import { linkOf } from '../../model/values.js';
import { ConfirmDeletion } from '../../shell/deletion/confirm-deletion.js';
import { Dialog } from '../../shell/dialog.js';
import { Failure } from '../../shell/notices.js';
import { Status } from '../cell.js';
import type { Matching } from './matching-entries.js';
import { MOST_ENTRIES } from './refusal-list.js';
import { useMatching } from './use-matching.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly action: BulkAction;
  readonly entries: readonly Entry[];
  /** They are written a portion at a time: what is refused stops none of the others. */
  readonly isInPortions?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before an action changes entries: all of these are changed by it. */
export function Question({ content, type, action, entries, isInPortions = false, onClose, onConfirm }: Props) {
  const { bulk, trash, publication, common } = useTexts();
  const confirm = (): void => {
    onClose();
    onConfirm();
  };
  if (action === 'delete')
    return (
      <ConfirmDeletion
        title={bulk.askDelete(entries.length)}
        text={type.trash === undefined ? bulk.cannotBeRestored : trash.keepsThem(type.trash)}
        keep={bulk.keepThem}
        onClose={onClose}
        onDelete={confirm}
      />
    );
  return (
    <Dialog title={publication.ask[action](entries.length)} onClose={onClose}>
      <p>{publication.follows[isInPortions && action === 'publish' ? 'publishEach' : action]}</p>
      <ul className="named">
        {entries.slice(0, MOST_ENTRIES).map((entry) => (
          <li key={entry.id}>
            <Link href={formAddress(type, entry.id)}>
              <bdi>{linkOf(content, [type.uid], { ...entry }).title}</bdi>
            </Link>
            <Status state={stateOf(entry)} />
          </li>
        ))}
        {entries.length > MOST_ENTRIES && <li>{bulk.more(entries.length - MOST_ENTRIES)}</li>}
      </ul>
      <div className="actions">
        <button type="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button type="button" className="primary" onClick={confirm}>
          {bulk.actions[action]}
        </button>
      </div>
    </Dialog>
  );
}

interface AllProps extends Pick<Props, 'action' | 'onClose'> {
  readonly matching: Matching;
  readonly total: number;
  readonly onConfirm: (entries: readonly Entry[]) => void;
}

/** Reads all entries of a list, and asks with their exact number. */
export function QuestionOfAll({ matching, total, action, onClose, onConfirm }: AllProps) {
  const texts = useTexts().bulk;
  const { entries, count, error } = useMatching(matching);
  if (entries === undefined) return <Counting {...{ count, total, error, onClose }} />;
  const changed = changedBy(action, entries);
  if (changed.length === 0)
    return (
      <Dialog title={texts.actions[action]} onClose={onClose}>
        <p>{texts.nothingToDo(entries.length)}</p>
      </Dialog>
    );
  return (
    <Question
      {...matching}
      isInPortions
      action={action}
      entries={changed}
      onClose={onClose}
      onConfirm={() => onConfirm(changed)}
    />
  );
}

interface CountingProps {
  readonly count: number;
  readonly total: number;
  readonly error: unknown;
  readonly onClose: () => void;
}

/** Before the number of entries is known. */
export function Counting({ count, total, error, onClose }: CountingProps) {
  const texts = useTexts().bulk;
  const title = texts.counting(count, total);
  return (
    <Dialog title={title} onClose={onClose}>
      {error === undefined ? <progress aria-label={title} value={count} max={total} /> : <Failure error={error} />}
    </Dialog>
  );
}
