import { messageOf } from '../language/message-of.js';
import slugify from '@sindresorhus/slugify';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { RequestError } from '../api/api.js';
import { formAddress, newAddress, pathOf, withStatus, type EntryRead } from '../api/entries.js';
import { issuesIn } from '../api/issues-in.js';
import { askToPublish, reviewPath } from './review/reviews.js';
import { useSession } from '../api/session.js';
import {
  createEntry,
  isConflict,
  publicationOf,
  updateEntry,
  writeVersion,
  writeWhole,
  type Publication,
  type Send,
} from '../api/write-entry.js';
import { useTexts } from '../language/language.js';
import { mistakenLine } from '../inputs/json/json.js';
import { lastList } from '../list/last-list.js';
import { changedAttributes, changesOf, creationOf } from '../model/body.js';
import { stateOf, type EntryState } from '../model/lists/bulk.js';
import { keepTyped } from './compare/compare.js';
import { findIssues, type Issue } from '../model/rules.js';
import { withKeysOf, withValue, type Value, type Values } from '../model/values.js';
import { useNotice, type Notice } from '../shell/notices.js';
import { useDeletionNotice } from '../trash/use-deletion-notice.js';
import { readWithValues } from './form-read.js';
import { undoOf, undoOfDiscard, type StoredEntry, type Undo } from './undo/undo-publication.js';
import { unsavedNameOf, type Edited } from './edited.js';
import { readUnsaved } from '../unsaved/unsaved-texts.js';
import { useUnsaved } from '../unsaved/use-unsaved.js';
import { useUndoNotice } from './undo/use-undo-notice.js';

/** An entry in a form: what is typed, checked, sent, and compared with what others stored in the meantime. */
export function useEntry(edited: Edited) {
  const { content, type, id, origin, query, read, base, related, onCreated } = edited;
  const texts = useTexts();
  const { api, user } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const deletion = useDeletionNotice(type);
  const undoNotice = useUndoNotice({ content, type, query });
  const name = unsavedNameOf(edited, user?.id);
  const [unsaved, setUnsaved] = useState(() => readUnsaved(name));
  // What was typed over another version is compared with this one before it is saved.
  const [stored, setStored] = useState<StoredEntry>({ entry: read.entry, etag: unsaved?.etag ?? read.etag, base });
  const [values, setValues, forget] = useUnsaved({ name, type, ...stored, unsaved, isPage: related === undefined });
  const [theirs, setTheirs] = useState<StoredEntry>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [firstIssue, setFirstIssue] = useState<Issue>();
  const [isBusy, setBusy] = useState(false);
  const isNew = id === undefined;
  const hasIssues = issues.length > 0;
  // The message that something has to be corrected goes when all of it was, and with the form.
  useEffect(() => (hasIssues ? () => show(undefined) : undefined), [hasIssues, show]);
  const isDraft = type.draftAndPublish && (stored.entry?.attributes['publishedAt'] ?? null) === null;
  const state: EntryState = isDraft ? 'draft' : stored.entry === undefined ? 'published' : stateOf(stored.entry);
  /** What is saved waits for its publication. */
  const isPrepared = type.workingCopies === true && !isNew;

  const showIssues = (list: readonly Issue[], message: string): void => {
    setIssues(list);
    show({ kind: 'failed', text: message });
    setFirstIssue(list[0]);
  };

  const readStored = (): Promise<StoredEntry> => readWithValues(api, edited, id);
  const compareWithStored = async (): Promise<void> => setTheirs(await readStored());
  /** Goes on with what is stored. */
  const takeStored = async (): Promise<StoredEntry> => {
    const latest = await readStored();
    const next = withKeysOf(values, latest.base);
    setStored({ ...latest, base: next });
    setUnsaved(undefined);
    setValues((mine) => keepTyped(type, { base: values, mine, theirs: next }));
    setIssues([]);
    return { ...latest, base: next };
  };

  /** Sends a write, and then does what follows from it. */
  const send = async (write: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await write();
    } catch (error) {
      if (isConflict(error)) {
        await compareWithStored();
      } else {
        const list = error instanceof RequestError ? issuesIn(error) : [];
        // Somebody has deleted it: the form says who, without waiting for its next announcement.
        if (error instanceof RequestError && error.status === 404)
          await queries.invalidateQueries({ queryKey: ['presence', type.uid, id] });
        showIssues(list, list.length === 0 ? messageOf(texts, error) : texts.form.refused);
      }
    }
    setBusy(false);
  };

  /** Goes on in the same fields with what was stored, and with what was typed since it was sent. */
  const goOn = async (sent: Values, entry: number | undefined, isCreated = false): Promise<StoredEntry> => {
    const latest = await readWithValues(api, edited, entry);
    const next = withKeysOf(sent, latest.base);
    // A new entry has its address and its values at once: neither is kept as an unsaved change of the other.
    flushSync(() => {
      setStored({ ...latest, base: next });
      setUnsaved(undefined);
      setValues((mine) => keepTyped(type, { base: sent, mine, theirs: next }));
      if (isCreated) onCreated?.(latest);
    });
    return { ...latest, base: next };
  };

  /** Puts values of a former version in the place of others. */
  const take = (taken: Values): void => {
    setValues((current) => ({ ...current, ...taken }));
    setIssues([]);
    show({ kind: 'done', text: texts.versions.taken });
  };

  /** The message after a change of what readers see, or of what is prepared. */
  const undoable = (text: string, after: StoredEntry | undefined, undo: Undo | undefined): Notice =>
    undoNotice({ text, after, undo, onUndone: ({ base, entry }) => goOn(base, entry?.id), onLeft: take });

  const path = pathOf(type, id);
  const place = { content, type, id, query };
  // What was typed over another version is compared with all of this one.
  const isCurrent = unsaved === undefined || unsaved.etag === read.etag;
  const writeStored = (write: Send) => (isCurrent ? writeVersion(api, place, stored, write) : write(stored.etag));
  /** What readers see of an entry of which more is prepared. */
  const readPublished = async (): Promise<Values> =>
    (await readWithValues(api, { ...edited, query: withStatus(query, undefined) }, id)).base;
  /** The rules that the values break. */
  const findBroken = (draft: boolean, publishing: boolean): readonly Issue[] =>
    findIssues(content, type, values, { draft, stored: !isNew, publishing, texts: texts.rules, mistakenLine });
  const showBroken = (broken: readonly Issue[]): void => showIssues(broken, texts.form.correctFirst(broken.length));

  /**
   * @param thenNew go on with the form of another new entry
   * @param note asks others to publish what is saved
   */
  const save = async (publication?: Publication, thenNew = false, note?: string): Promise<void> => {
    const isAsked = note !== undefined;
    const willBeDraft = publication === undefined ? isDraft : publication === 'unpublish';
    // What is asked for is complete.
    const mayBeIncomplete = !isAsked && (willBeDraft || (isPrepared && publication === undefined));
    const broken = findBroken(mayBeIncomplete, isAsked || publication === 'publish');
    if (broken.length > 0) {
      showBroken(broken);
      return;
    }
    const isUnseen = willBeDraft && type.hidesDrafts === true;
    setIssues([]);
    setFirstIssue(undefined);
    show(undefined);
    await send(async () => {
      const isTyped = changedAttributes(type, stored.base, values).length > 0;
      const published = publication === 'publish' && isPrepared && !isDraft ? await readPublished() : undefined;
      const entry = isNew
        ? await createEntry(
            api,
            { type, query, locale: origin.locale, source: read.source },
            { ...creationOf(content, type, values), ...publicationOf(type, publication, true) },
          )
        : isAsked && !isTyped
          ? stored.entry
          : await updateEntry(api, place, writeStored, changesOf(content, type, stored.base, values), publication);
      forget();
      if (isAsked && entry !== undefined) await askToPublish(api, reviewPath(type, entry.id), note);
      await queries.invalidateQueries({ queryKey: ['review', type.path] });
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
      let after: StoredEntry | undefined;
      if (related !== undefined && entry !== undefined) related.onCreated(entry);
      else if (thenNew) {
        navigate(newAddress(type, origin.locale), { replace: true });
        await queries.resetQueries({ queryKey: ['entry', type.path, undefined] });
      } else if (isUnseen) navigate(type.kind === 'singleType' ? '/' : lastList(type));
      else if (!isNew) after = await goOn(values, id);
      else {
        // It is stored: a form that went on as that of a new entry would store it again.
        after = await goOn(values, entry?.id, true).catch(() => {
          navigate(formAddress(type, entry?.id), { replace: true });
          return undefined;
        });
        forget();
      }
      const saved = isPrepared && !isDraft ? texts.publication.savedCopy : texts.common.saved;
      if (isUnseen) show({ kind: 'failed', text: texts.form.savedUnseen });
      else if (publication === undefined) show({ kind: 'done', text: isAsked ? texts.review.asked : saved });
      else {
        const publishedAt = stored.entry?.attributes['publishedAt'];
        const undo = undoOf({ content, type, publication, state, publishedAt, published, sent: values, isTyped });
        show(undoable(texts.form[`${publication}ed`], after, undo));
      }
    });
  };

  const ask = (note: string): Promise<void> => save(undefined, false, note);

  const remove = (): Promise<void> =>
    send(async () => {
      const whole = type.plain ? {} : withStatus(query, undefined);
      await writeStored(writeWhole(api, place, (ifMatch) => api.send('DELETE', path, { query: whole, ifMatch })));
      forget();
      const deleted = stored.entry === undefined ? [] : [stored.entry];
      show(deletion(texts.form.deleted, deleted, () => navigate(formAddress(type, id))));
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
      if (type.kind === 'singleType') await queries.invalidateQueries({ queryKey: ['entry', type.path] });
      else navigate(lastList(type));
    });

  /** Discards what is prepared, and what is typed. */
  const discardChanges = (): Promise<void> =>
    send(async () => {
      await writeStored((ifMatch) => api.send('DELETE', path, { query: withStatus(query, 'draft'), ifMatch }));
      forget();
      const after = await takeStored();
      show(undoable(texts.publication.discarded, after, undoOfDiscard(content, type, stored.base, after.base)));
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
    });

  /** Goes on with what is stored now, after a comparison with what is typed. */
  const reload = (): Promise<void> => send(async () => void (await (isDirty ? compareWithStored() : takeStored())));

  const change = (name: string, value: Value): void => {
    setValues((current) => withValue(type, current, name, value, isNew ? slugify : undefined));
    setIssues(issues.filter((issue) => issue.path !== name && !issue.path.startsWith(`${name}.`)));
  };

  const versions = theirs && { base: stored.base, mine: values, theirs: theirs.base };
  const typed = changedAttributes(type, stored.base, values).map(({ name }) => name);
  const isDirty = typed.length > 0;
  const changed = new Set(isPrepared && !isDraft ? [...(stored.entry?.changes ?? []), ...typed] : []);
  return {
    stored: stored.entry,
    /** The values that are stored. */
    base: stored.base,
    /** As it was read last, with its version. */
    read: stored as EntryRead,
    /** The attributes that differ from what is published: what is prepared, and what is typed. */
    changed,
    values,
    change,
    take,
    issues,
    firstIssue,
    isBusy,
    isDirty,
    isDraft,
    state,
    save,
    /** Saves what is typed, and asks others to publish the entry as it is then. */
    ask,
    remove,
    discardChanges,
    reload,
    /** Keeps nothing of what is typed. */
    forget,
    /** How many values have to be corrected before the entry is published. */
    findMissing: () => findBroken(false, true).length,
    /** Names what has to be corrected before the entry is published. */
    check: () => {
      const broken = findBroken(false, true);
      if (broken.length > 0) showBroken(broken);
    },
    /** Leads to the field of an issue. */
    goTo: (issue: Issue) => setFirstIssue({ ...issue }),
    /** Takes back what was typed before the page was left; undefined: nothing was. */
    discard:
      unsaved === undefined || !isDirty
        ? undefined
        : () => {
            forget();
            setStored({ ...read, base });
            setValues(base);
          },
    /** What another user stored in the meantime; undefined: nothing. */
    conflict: versions && {
      versions,
      entry: theirs.entry,
      onClose: () => setTheirs(undefined),
      onMerge: (merged: Values) => {
        setValues(merged);
        setStored(theirs);
        setIssues([]);
        setTheirs(undefined);
      },
    },
  };
}
