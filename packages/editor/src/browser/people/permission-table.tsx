import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import {
  coreActions,
  draftsOnly,
  groupsOf,
  isContent,
  publishing,
  usualAction,
  type PermissionGroup,
  type PermissionTree,
} from '../model/permissions.js';
import { labelOf, typeOf, type Content } from '../model/schema.js';

interface Props {
  readonly content: Content;
  readonly tree: PermissionTree;
  readonly isEnabled: (action: string) => boolean;
  readonly onChange: (action: string, isEnabled: boolean) => void;
}

/** What the actions of a plugin are about, as the pages of the editor call it. */
const groupName = ({ shell, account, folders, roles, builder, audit }: Texts, uid: string): string => {
  const names: Readonly<Record<string, string>> = {
    'upload.content-api': shell.files,
    'upload.folder': folders.way,
    'users-permissions.auth': account.logIn,
    'users-permissions.user': shell.users,
    'users-permissions.role': shell.roles,
    'users-permissions.permissions': roles.permissions,
    'api-tokens.token': shell.tokens,
    'email.email': account.email,
    'i18n.locales': builder.locales,
    'content-type-builder.content-types': builder.title,
    'content-type-builder.components': builder.components,
    'admin::audit.record': audit.title,
  };
  const name = uid.replace('plugin::', '');
  return names[name] ?? name;
};

const isOfDrafts = (action: string): boolean => publishing.some((name) => draftsOnly(name) === action);
const isCore = (action: string): boolean => (coreActions as readonly string[]).includes(action);

/** Content types by their actions, and the actions of plugins below. */
export function PermissionTable({ content, tree, isEnabled, onChange }: Props) {
  const texts = useTexts();
  const groups = groupsOf(tree);
  const nameOf = ({ uid }: PermissionGroup): string =>
    typeOf(content, uid)?.listName ?? labelOf(uid.slice(uid.lastIndexOf('.') + 1));
  const box = (name: string) => ({
    type: 'checkbox' as const,
    checked: isEnabled(name),
    onChange: ({ target }: { readonly target: HTMLInputElement }) => onChange(name, target.checked),
  });
  /** The actions of a group that can be done without publishing. */
  const publishingIn = ({ actions }: PermissionGroup) =>
    publishing.filter((name) => actions.includes(name) && actions.includes(draftsOnly(name)));
  const mayPublish = (group: PermissionGroup): boolean =>
    !publishingIn(group).some((name) => isEnabled(`${group.uid}.${draftsOnly(name)}`));
  /** An action, which may be limited to drafts. */
  const coreBox = (group: PermissionGroup, action: string) => {
    const [whole, drafts] = [`${group.uid}.${action}`, `${group.uid}.${draftsOnly(action)}`];
    if (!publishingIn(group).some((name) => name === action)) return box(whole);
    return {
      type: 'checkbox' as const,
      checked: isEnabled(whole) || isEnabled(drafts),
      onChange: ({ target: { checked } }: { readonly target: HTMLInputElement }) => {
        const publishes = mayPublish(group);
        onChange(whole, checked && publishes);
        onChange(drafts, checked && !publishes);
      },
    };
  };
  const publishBox = (group: PermissionGroup) => {
    const { uid } = group;
    const held = publishingIn(group).filter(
      (name) => isEnabled(`${uid}.${name}`) || isEnabled(`${uid}.${draftsOnly(name)}`),
    );
    return {
      type: 'checkbox' as const,
      checked: held.length > 0 && mayPublish(group),
      disabled: held.length === 0,
      onChange: ({ target: { checked } }: { readonly target: HTMLInputElement }) => {
        for (const name of held) {
          onChange(`${uid}.${name}`, checked);
          onChange(`${uid}.${draftsOnly(name)}`, !checked);
        }
      },
    };
  };
  const others = ({ uid, actions }: PermissionGroup) =>
    actions.map((action) => (
      <label key={action} className="check">
        <input {...box(`${uid}.${action}`)} />
        {describe(uid, action)}
      </label>
    ));
  const names = new Map<string, string>(Object.entries(texts.roles.actions));
  const describe = (uid: string, action: string): string => {
    const [, name] = /^(.+)\.restricted$/.exec(action) ?? [];
    if (name !== undefined) return texts.roles.limited(describe(uid, name));
    const own = names.get(`${uid}.${action}`) ?? names.get(usualAction(uid, action));
    return own ?? labelOf(action.replaceAll('.', ' '));
  };
  return (
    <>
      <div className="scroll" role="region" aria-label={texts.roles.permissions} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.roles.content}</th>
              {coreActions.map((action) => (
                <th key={action} scope="col">
                  {texts.roles.actions[action]}
                </th>
              ))}
              <th scope="col">{texts.roles.others}</th>
            </tr>
          </thead>
          <tbody>
            {groups.filter(isContent).map((group) => (
              <tr key={group.uid}>
                <th scope="row">{nameOf(group)}</th>
                {coreActions.map((action) => (
                  <td key={action}>
                    {group.actions.includes(action) && (
                      <input
                        {...coreBox(group, action)}
                        aria-label={texts.roles.may(texts.roles.actions[action], nameOf(group))}
                      />
                    )}
                  </td>
                ))}
                <td>
                  {publishingIn(group).length > 0 && (
                    <label className="check">
                      <input {...publishBox(group)} />
                      {texts.roles.actions.publish}
                    </label>
                  )}
                  {others({
                    ...group,
                    actions: group.actions.filter((action) => !isCore(action) && !isOfDrafts(action)),
                  })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {groups
        .filter((group) => !isContent(group))
        .map((group) => (
          <fieldset key={group.uid} className="group">
            <legend>{groupName(texts, group.uid)}</legend>
            <div className="checks">{others(group)}</div>
          </fieldset>
        ))}
    </>
  );
}
