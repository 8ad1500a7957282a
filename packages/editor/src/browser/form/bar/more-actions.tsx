import {
  ArchiveRestore,
  CopyPlus,
  Ellipsis,
  FilePlus2,
  GitFork,
  History,
  LogOut,
  ScrollText,
  Trash2,
  Undo2,
  EyeOff,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu';
import { useLocation } from 'wouter';
import { useTexts } from '../../language/language.js';
import { everything, formatAuditSearch } from '../../audit/audit-search.js';
import { referencesTo } from '../../model/references.js';
import { USER } from '../../model/schema.js';
import { linkOf } from '../../model/values.js';
import { ConfirmLogOut } from '../../people/confirm-log-out.js';
import { useCommands } from '../../shell/commands/commands.js';
import { ConfirmDeletion } from '../../shell/deletion/confirm-deletion.js';
import { describeOthers } from '../presence/presence.js';
import { ConfirmEntryDeletion, Referrers } from '../referrers.js';
import { Versions } from '../versions/versions.js';
import type { BarProps } from './bar-props.js';

type DialogName = 'versions' | 'referrers' | 'discard' | 'logOut' | 'delete';

interface Action {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
}

/** A menu of what is done less often with an entry, and the dialogs that ask before it is done. */
export function MoreActions(props: BarProps) {
  const { content, type, entry } = props;
  const texts = useTexts();
  const [open, setOpen] = useState<DialogName>();
  const actions = useActions(props, setOpen);
  useCommands(actions.map(({ label, run, isDisabled }) => ({ label, run, isEnabled: () => isDisabled !== true })));
  const close = (): void => setOpen(undefined);
  if (actions.length === 0) return undefined;
  const title = entry === undefined ? '' : linkOf(content, [type.uid], { ...entry }).title;
  return (
    <>
      <MenuTrigger>
        <Button className="more-actions" aria-label={texts.form.more}>
          <Ellipsis size={18} aria-hidden="true" />
        </Button>
        <Popover className="choices" placement="bottom end" offset={4}>
          <Menu>
            {actions.map(({ label, icon: Icon, run, isDisabled = false, isDangerous = false }) => (
              <MenuItem
                key={label}
                textValue={label}
                className={isDangerous ? 'danger' : ''}
                isDisabled={isDisabled}
                onAction={run}
              >
                <Icon size={16} aria-hidden="true" /> {label}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {entry !== undefined && open === 'versions' && <Versions {...props} entry={entry} onClose={close} />}
      {entry !== undefined && open === 'referrers' && <Referrers {...props} entry={entry} onClose={close} />}
      {entry !== undefined && open === 'logOut' && (
        <ConfirmLogOut user={{ id: entry.id, name: title }} onClose={close} />
      )}
      {open === 'discard' && (
        <ConfirmDeletion
          title={texts.publication.askDiscard(title)}
          text={type.versions === true ? texts.publication.staysInVersions : texts.publication.staysPublished}
          keep={texts.publication.keepChanges}
          action={texts.publication.discardNow}
          onClose={close}
          onDelete={props.onDiscard}
        />
      )}
      {entry !== undefined && open === 'delete' && (
        <ConfirmEntryDeletion
          content={content}
          type={type}
          entry={entry}
          title={texts.form.askDelete(title)}
          text={type.trash === undefined ? texts.common.cannotBeRestored : texts.trash.keeps(type.trash)}
          keep={texts.common.keepIt}
          onClose={close}
          onDelete={props.onDelete}
        >
          {props.others.length > 0 && <p className="notice">{describeOthers(texts, props.others)}</p>}
        </ConfirmEntryDeletion>
      )}
    </>
  );
}

/** What this user may do with this entry, in the order of the menu. */
function useActions(
  { content, type, entry, state, isBusy, canSave, mayWrite, mayPublish, locale, onPublish, onSaveThenNew }: BarProps,
  open: (dialog: DialogName) => void,
): readonly Action[] {
  const texts = useTexts();
  const [, navigate] = useLocation();
  const thenNew: Action | false = onSaveThenNew !== undefined && {
    label: texts.form.saveAndNew,
    icon: FilePlus2,
    run: onSaveThenNew,
    isDisabled: !canSave || isBusy,
  };
  // Lists lead to the trash of others.
  const trash: Action | false = type.kind === 'singleType' &&
    type.trash !== undefined && {
      label: texts.trash.title,
      icon: ArchiveRestore,
      run: () => navigate(`/content/${type.path}/trash`),
    };
  if (entry === undefined) return [thenNew, trash].filter((action) => action !== false);
  const copy = `/content/${type.path}/new?copied=${entry.id}${type.localized ? `&locale=${locale}` : ''}`;
  const actions: readonly (Action | false)[] = [
    type.versions === true && { label: texts.versions.show, icon: History, run: () => open('versions') },
    (type.preview !== undefined || referencesTo(content, type.uid).length > 0) && {
      label: texts.referrers.where,
      icon: GitFork,
      run: () => open('referrers'),
    },
    content.readsAudit && {
      label: texts.audit.show,
      icon: ScrollText,
      run: () => navigate(`/audit?${formatAuditSearch({ ...everything, of: type.uid, entry: String(entry.id) })}`),
    },
    type.kind === 'collectionType' &&
      !type.plain &&
      type.actions.includes('create') && { label: texts.form.duplicate, icon: CopyPlus, run: () => navigate(copy) },
    state === 'modified' && {
      label: texts.publication.discard,
      icon: Undo2,
      run: () => open('discard'),
      isDisabled: isBusy,
    },
    type.workingCopies === true &&
      state !== 'draft' &&
      mayWrite && {
        label: texts.form.unpublish,
        icon: EyeOff,
        run: () => onPublish('unpublish'),
        isDisabled: !mayPublish || isBusy,
      },
    trash,
    type.uid === USER &&
      type.actions.includes('update') && {
        label: texts.account.sessions.endAll,
        icon: LogOut,
        run: () => open('logOut'),
      },
    type.actions.includes('delete') && {
      label: texts.common.delete,
      icon: Trash2,
      run: () => open('delete'),
      isDisabled: isBusy,
      isDangerous: true,
    },
  ];
  return actions.filter((action) => action !== false);
}
