import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice } from '../shell/notices.js';
import { endSessionsOf } from './read-sessions.js';

interface Props {
  readonly user: { readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

/** Asks before a user is logged out everywhere by somebody else. */
export function ConfirmLogOut({ user: { id, name }, onClose }: Props) {
  const { account, common } = useTexts();
  const texts = account.sessions;
  const { api } = useSession();
  const show = useNotice();
  const end = async (): Promise<void> => {
    try {
      await endSessionsOf(api, id);
      show({ kind: 'done', text: texts.allEnded(name) });
    } catch (error) {
      show({ kind: 'failed', error });
    }
  };
  return (
    <ConfirmDeletion
      title={texts.askEndAll(name)}
      text={texts.aboutAll}
      keep={common.cancel}
      action={texts.endAllNow}
      onClose={onClose}
      onDelete={() => void end()}
    />
  );
}
