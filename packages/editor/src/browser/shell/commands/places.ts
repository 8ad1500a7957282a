import {
  FileText,
  Images,
  KeyRound,
  Languages,
  Rows3,
  ScrollText,
  Shapes,
  ShieldCheck,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import type { Texts } from '../../language/texts.js';
import { ROLE, typeOf, USER, type Content, type ContentType } from '../../model/schema.js';

/** A page that the menu leads to. */
export interface Place {
  readonly address: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** Pages under a heading of the menu. */
interface Group {
  readonly title: string;
  readonly places: readonly Place[];
}

/** Where the user may go, as the menu shows it. */
export function groupsOf(texts: Texts, content: Content): readonly Group[] {
  const types = content.contentTypes.filter(({ plain, actions }) => !plain && actions.length > 0);
  const ofKind = (kind: ContentType['kind'], icon: LucideIcon): readonly Place[] =>
    types
      .filter((type) => type.kind === kind)
      .map(({ path, listName }) => ({ address: `/content/${path}`, label: listName, icon }));
  const placeIf = (isThere: boolean, address: string, label: string, icon: LucideIcon): readonly Place[] =>
    isThere ? [{ address, label, icon }] : [];
  const isVisible = (uid: string): boolean => typeOf(content, uid)?.actions.includes('find') === true;
  const { shell, builder } = texts;
  const groups: readonly Group[] = [
    { title: shell.collections, places: ofKind('collectionType', Rows3) },
    { title: shell.singlePages, places: ofKind('singleType', FileText) },
    { title: shell.library, places: placeIf(content.files.find, '/files', shell.files, Images) },
    {
      title: shell.access,
      places: [
        ...placeIf(isVisible(USER), '/content/users', shell.users, UsersRound),
        ...placeIf(isVisible(ROLE), '/roles', shell.roles, ShieldCheck),
        ...placeIf(content.tokens.find, '/tokens', shell.tokens, KeyRound),
        ...placeIf(content.readsAudit, '/audit', texts.audit.title, ScrollText),
      ],
    },
    {
      title: builder.structure,
      places: [
        ...placeIf(content.definitions.find, '/types', builder.title, Shapes),
        ...placeIf(content.replacesLocales, '/locales', builder.locales, Languages),
      ],
    },
  ];
  return groups.filter(({ places }) => places.length > 0);
}
