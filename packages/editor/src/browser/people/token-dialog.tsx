import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useSession } from '../api/session.js';
import { createToken, type NewToken } from '../api/tokens.js';
import { useTexts } from '../language/language.js';
import { grantable } from '../model/permissions.js';
import type { Content } from '../model/schema.js';
import { Choice } from '../inputs/choice.js';
import { Dialog } from '../shell/dialog.js';
import { Failure } from '../shell/notices.js';
import { Field } from '../small-forms/field.js';
import { PermissionTable } from './permission-table.js';
import { ShownOnce } from './shown-once.js';

const lifespans: readonly number[] = [7, 30, 90, 365];
const DAY_MS = 86_400_000;

/** Creates a token, and shows its key. */
export function TokenDialog({ content, onClose }: { readonly content: Content; readonly onClose: () => void }) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(new Set());
  const create = useMutation({
    mutationFn: (token: NewToken) => createToken(api, token),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      name: String(form.get('name')),
      description: String(form.get('description')),
      lifespan: Number(form.get('days')) * DAY_MS,
      permissions: [...allowed],
    });
  };
  if (create.data !== undefined) {
    const { created, shownOnce, key } = texts.tokens;
    return <ShownOnce title={created} text={shownOnce} label={key} value={create.data} onClose={onClose} />;
  }
  return (
    <Dialog title={texts.tokens.newToken} onClose={onClose} wide>
      <form onSubmit={submit}>
        <Field label={texts.common.name} name="name" required maxLength={255} />
        <Field label={texts.common.description} name="description" maxLength={255} />
        <Choice
          label={texts.tokens.expires}
          name="days"
          defaultValue="30"
          options={lifespans.map((days) => ({ value: String(days), label: texts.tokens.inDays(days) }))}
        />
        <PermissionTable
          content={content}
          tree={grantable(content)}
          isEnabled={(action) => allowed.has(action)}
          onChange={(action, isEnabled) => {
            const others = [...allowed].filter((other) => other !== action);
            setAllowed(new Set(isEnabled ? [...others, action] : others));
          }}
        />
        <p className="hint">{texts.tokens.onlyYours}</p>
        {create.error !== null && <Failure error={create.error} />}
        <div className="actions">
          <button type="submit" className="primary" disabled={allowed.size === 0 || create.isPending}>
            {texts.common.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
