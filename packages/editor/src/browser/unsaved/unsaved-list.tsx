import { Link } from 'wouter';
import { formAddress, newAddress } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { RelativeTime } from '../language/relative-time.js';
import { useTexts } from '../language/language.js';
import type { Content } from '../model/schema.js';
import { useNotice } from '../shell/notices.js';
import { adopt, keepUnsaved, placeOf, readUnsaved, useUnsavedNames } from './unsaved-texts.js';

/** What the user has typed in this browser and not saved; nothing if there is none. */
export function UnsavedList({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { user } = useSession();
  const show = useNotice();
  const names = useUnsavedNames(user?.id);
  const kept = names
    .flatMap((name) => {
      const unsaved = readUnsaved(name);
      const type = content.contentTypes.find(({ path }) => path === placeOf(user?.id, name).path);
      if (unsaved?.address === undefined || type === undefined) return [];
      return [{ name, unsaved, type, address: unsaved.address }];
    })
    .toSorted((left, right) => right.unsaved.at.localeCompare(left.unsaved.at));
  if (kept.length === 0) return undefined;
  return (
    <section className="recent">
      <h2>{texts.unsaved.title}</h2>
      <ul>
        {kept.map(({ name, unsaved, type, address }) => {
          const title = unsaved.title ?? texts.form.newOf(type.entryName);
          return (
            <li key={name} className="row">
              <div className="grow">
                <div className="name">
                  <Link href={address} dir="auto" title={title} onClick={() => adopt(name)}>
                    {title}
                  </Link>
                </div>
                <p className="hint">
                  {type.entryName} · <RelativeTime value={unsaved.at} />
                </p>
              </div>
              <button
                type="button"
                aria-label={texts.unsaved.discardOne(title)}
                onClick={() => {
                  keepUnsaved(name, undefined);
                  show({
                    kind: 'done',
                    text: texts.unsaved.discarded,
                    action: { label: texts.inputs.undo, run: () => keepUnsaved(name, unsaved) },
                  });
                }}
              >
                {texts.unsaved.discard}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** How many forms have something that is not saved: all, and all but the one that is open at an address. */
export function useUnsavedCounts({ contentTypes }: Content, location: string) {
  const { user } = useSession();
  const names = useUnsavedNames(user?.id);
  const closed = names.filter((name) => {
    const { path, id, isPage } = placeOf(user?.id, name);
    const type = contentTypes.find((one) => one.path === path);
    if (!isPage || type === undefined) return false;
    const isNew = id === 'new' && type.kind === 'collectionType';
    return location !== (isNew ? newAddress(type, undefined) : formAddress(type, Number(id)));
  });
  return { all: names.length, closed: closed.length };
}
