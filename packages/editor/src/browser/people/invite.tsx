import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { readRoles } from '../api/roles.js';
import { useSession } from '../api/session.js';
import { Choice } from '../inputs/choice.js';
import { useTexts } from '../language/language.js';
import { Dialog, DialogButtons } from '../shell/dialog.js';
import { Failure, useNotice } from '../shell/notices.js';
import { Field } from '../small-forms/field.js';
import { ShownOnce } from './shown-once.js';

interface Invitation {
  readonly email: string;
  readonly role: number;
}

interface Answer {
  readonly sent: boolean;
  /** Without a mail. */
  readonly link?: string;
}

/** Invites somebody by their address; without a mail it shows the link. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { invitation: texts, roles: ofRoles, account } = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [link, setLink] = useState<string>();
  const { data: roles = [], error } = useQuery({ queryKey: ['roles'], queryFn: () => readRoles(api) });
  const invite = useMutation({
    mutationFn: async (body: Invitation) => (await api.send('POST', 'users/invite', { body })).body as Answer,
    onSuccess: ({ sent, link: path = '' }, { email }) => {
      if (sent) {
        show({ kind: 'done', text: texts.isSent(email) });
        onClose();
        // A service that does not know its own address says the path alone.
      } else setLink(new URL(path, location.origin).href);
      return queries.invalidateQueries({ queryKey: ['list'] });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: String(form.get('email')), role: Number(form.get('role')) });
  };
  if (link !== undefined)
    return <ShownOnce title={texts.isMade} text={texts.giveLink} label={texts.link} value={link} onClose={onClose} />;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={account.email} name="email" type="email" required maxLength={255} autoComplete="off" />
        <Choice
          label={texts.role}
          name="role"
          required
          placeholder={ofRoles.choose}
          options={roles
            .filter(({ type }) => type !== 'public')
            .map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <p className="hint">{texts.about}</p>
        {(invite.error ?? error) !== null && <Failure error={invite.error ?? error} />}
        <DialogButtons action={texts.invite} isBusy={invite.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
