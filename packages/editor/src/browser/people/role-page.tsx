import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useLocation } from 'wouter';
import { deleteRole, readRole, saveRole, type RoleRead } from '../api/roles.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { WayBack } from '../list/way-back.js';
import { permissionsIn, withChange, type Permissions } from '../model/permissions.js';
import type { Content, ContentType } from '../model/schema.js';
import { CommandButton } from '../shell/commands/commands.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice } from '../shell/notices.js';
import { Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { Field } from '../small-forms/field.js';
import { PermissionTable } from './permission-table.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: the role is new. */
  readonly id: number | undefined;
}

/** A role: its name, and what its users may do. */
export function RolePage(props: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['roles', props.id],
    queryFn: () => readRole(api, props.content, props.id),
    staleTime: Infinity,
    gcTime: 0,
  });
  useTitle(data?.role?.name ?? texts.shell.roles);
  if (error !== null) return <Unread error={error} />;
  if (data === undefined) return <Loading />;
  return <RoleForm key={dataUpdatedAt} {...props} read={data} />;
}

function RoleForm({ content, type, id, read: { role, tree } }: Props & { readonly read: RoleRead }) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const [changes, setChanges] = useState<Permissions>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const stored = permissionsIn(tree);
  const isDeclared = role !== undefined && content.declaredRoles.includes(role.type);
  const mayWrite = type.actions.includes(id === undefined ? 'create' : 'update');
  const run = async (work: () => Promise<void>, done: string, isGone: boolean): Promise<void> => {
    setBusy(true);
    try {
      await work();
      show({ kind: 'done', text: done });
      if (isGone) navigate('/roles');
      await queries.invalidateQueries({ queryKey: ['roles'] });
    } catch (error) {
      show({ kind: 'failed', error });
    }
    setBusy(false);
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const info = { name: String(form.get('name')), description: String(form.get('description')) };
    const isNew = id === undefined;
    void run(() => saveRole(api, content, id, info, changes), isNew ? texts.roles.created : texts.common.saved, isNew);
  };
  return (
    <form className="entry" onSubmit={submit}>
      <WayBack to="/roles" list={texts.shell.roles} />
      <header className="title">
        <h1>{role?.name ?? texts.roles.newRole}</h1>
        <span className="quiet-text" role="status">
          {changes.size === 0 ? '' : texts.roles.changed(changes.size)}
        </span>
      </header>
      <fieldset className="bare" disabled={!mayWrite || isBusy}>
        <legend className="hidden">{texts.form.values}</legend>
        <div className="card fields">
          <Field label={texts.common.name} name="name" required minLength={3} defaultValue={role?.name} />
          <Field label={texts.common.description} name="description" defaultValue={role?.description ?? ''} />
        </div>
        <h2>{texts.roles.permissions}</h2>
        {isDeclared && (
          <p className="notice" role="note">
            {texts.roles.declared}
          </p>
        )}
        <fieldset className="bare" disabled={isDeclared}>
          <legend className="hidden">{texts.roles.permissions}</legend>
          <PermissionTable
            content={content}
            tree={tree}
            isEnabled={(action) => changes.get(action) ?? stored.get(action) ?? false}
            onChange={(action, isEnabled) => setChanges((current) => withChange(stored, current, action, isEnabled))}
          />
        </fieldset>
      </fieldset>
      <div className="actions sticky">
        <CommandButton
          type="submit"
          shortcut="save"
          label={id === undefined ? texts.common.create : texts.common.save}
          className="primary"
          disabled={!mayWrite || isBusy}
        />
        {id !== undefined && role?.type !== 'public' && type.actions.includes('delete') && (
          <button type="button" className="danger" disabled={isBusy} onClick={() => setDeleting(true)}>
            {texts.common.delete}
          </button>
        )}
      </div>
      {isDeleting && id !== undefined && (
        <ConfirmDeletion
          title={texts.roles.askDelete}
          text={texts.roles.becomePublic}
          keep={texts.common.keepIt}
          onClose={() => setDeleting(false)}
          onDelete={() => void run(() => deleteRole(api, id), texts.roles.deleted, true)}
        />
      )}
    </form>
  );
}
