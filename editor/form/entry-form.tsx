import slugify from '@sindresorhus/slugify';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { RequestError } from '../api/api.js';
import { issuesIn } from '../api/issues-in.js';
import { entryIn, formAddress, localeOf, pathOf, readEntry, type Entry, type EntryRead } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { isConflict, writeVersion, type Send } from '../api/write-version.js';
import { lastList } from '../list/last-list.js';
import { changedAttributes, changesOf, creationOf, type Data } from '../model/body.js';
import { withValue } from '../model/change.js';
import { merge } from '../model/compare.js';
import { findIssues, type Issue } from '../model/rules.js';
import { layoutOf, titleAttribute, type Content, type ContentType } from '../model/schema.js';
import { valuesOf, type Value, type Values } from '../model/values.js';
import { messageOf, useNotice } from '../shell/notices.js';
import { Conflict } from './conflict.js';
import { focusField, focusFirstField } from './focus-field.js';
import { FormContext } from './form-context.js';
import { FormHeading } from './form-heading.js';
import type { Localization } from './localizations.js';
import { Sections } from './fields.js';
import { SidePanel, type Publication } from './side-panel.js';
import { useBeside } from './use-beside.js';
import { useTexts } from '../language/language.js';
import { readUnsaved, useUnsaved } from './use-unsaved.js';

/** Where a new entry comes from: the locale, and the entry that it is a localization of. */
export interface Origin {
  readonly locale: string | undefined;
  readonly source: number | undefined;
  /** The locale of that entry, if the type is a single type. */
  readonly from: string | undefined;
  /** The entry that a new one begins as a copy of. */
  readonly copied: number | undefined;
}

/** What is read for a form: an entry, or that of which a new one is a localization or a copy. */
export type FormRead = EntryRead & { readonly source?: Entry | undefined; readonly copied?: Entry | undefined };

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: the entry is new. */
  readonly id: number | undefined;
  readonly origin: Origin;
  readonly query: object;
  readonly read: FormRead;
  readonly base: Values;
  readonly unfolded: Set<string>;
  /** The form is over another one, which needs the new entry. */
  readonly related?: Related;
}

interface Related {
  /** How many forms are below it. */
  readonly depth: number;
  /** The values are not empty: the user has written some of them already. */
  readonly isBegun: boolean;
  readonly onCreated: (entry: Entry) => void;
}

interface Stored extends EntryRead {
  readonly base: Values;
}

/** The form of an entry: what is typed, checked, sent, and compared with what others stored in the meantime. */
export function EntryForm({ content, type, id, origin, query, read, base, unfolded, related }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const depth = related?.depth ?? 0;
  const fieldId = (path: string): string => `field${depth === 0 ? '' : depth}-${path}`;
  const key = `${type.path}/${id ?? 'new'}/${[origin.locale, origin.copied, depth].join('/')}`;
  const [unsaved] = useState(() => readUnsaved(key));
  // What was typed over another version is compared with this one before it is saved.
  const [stored, setStored] = useState<Stored>({ entry: read.entry, etag: unsaved?.etag ?? read.etag, base });
  const [theirs, setTheirs] = useState<Stored>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [first, setFirst] = useState<Issue>();
  // While the form is sent, nothing in it can be focused.
  useEffect(() => {
    if (first !== undefined && !isBusy) focusField(first.path, fieldId);
  }, [first, isBusy]);
  const isNew = id === undefined;
  useEffect(() => {
    if (isNew) focusFirstField();
  }, []);
  const [values, setValues, discard] = useUnsaved({ key, model: type, ...stored, unsaved });
  const isDirty = changedAttributes(type, stored.base, values).length > 0;
  const isDraft = type.draftAndPublish && (stored.entry?.attributes['publishedAt'] ?? null) === null;
  const isLocalization = isNew && read.source !== undefined;
  const mayWrite = type.actions.includes(
    isLocalization ? 'createLocalization' : isNew && type.kind !== 'singleType' ? 'create' : 'update',
  );
  const [chosen, setChosen] = useState<Localization>();
  const beside = useBeside({ content, type, query, chosen, source: isLocalization ? read.source : undefined });

  const showIssues = (list: readonly Issue[], message: string): void => {
    setIssues(list);
    show({ kind: 'failed', text: message });
    setFirst(list[0]);
  };

  const fail = async (error: unknown): Promise<void> => {
    if (isConflict(error)) {
      const latest = await readEntry(api, type, id, query);
      setTheirs({ ...latest, base: valuesOf(content, type, latest.entry?.attributes ?? {}) });
      return;
    }
    const list = error instanceof RequestError ? issuesIn(error, texts.rules) : [];
    showIssues(list, list.length === 0 ? messageOf(error) : texts.form.refused);
  };

  const path = pathOf(type, id);
  // What was typed over another version is compared with all of this one.
  const isCurrent = unsaved === undefined || unsaved.etag === read.etag;
  const write = (send: Send) =>
    isCurrent ? writeVersion(api, { content, type, id, query }, stored, send) : send(stored.etag);

  const send = async (data: Data): Promise<EntryRead> => {
    if (type.plain) return entryIn(type, await api.send(isNew ? 'POST' : 'PUT', path, { body: data }));
    if (!isNew)
      return entryIn(type, await write((ifMatch) => api.send('PUT', path, { query, body: { data }, ifMatch })));
    if (isLocalization) {
      const body = { ...data, locale: origin.locale };
      const answer = await api.send('POST', `${pathOf(type, read.source?.id)}/localizations`, { body });
      return { entry: { id: (answer.body as Entry).id, attributes: {} }, etag: undefined };
    }
    if (type.kind === 'singleType') return entryIn(type, await api.send('PUT', type.path, { query, body: { data } }));
    const body = { data: { ...data, ...(type.localized && origin.locale !== undefined && { locale: origin.locale }) } };
    return entryIn(type, await api.send('POST', type.path, { query, body }));
  };

  /** @param publication undefined: the entry stays published or a draft */
  const save = async (publication?: Publication): Promise<void> => {
    const willBeDraft = publication === undefined ? isDraft : publication === 'unpublish';
    const broken = findIssues(content, type, values, { draft: willBeDraft, stored: !isNew, texts: texts.rules });
    if (broken.length > 0) {
      showIssues(broken, texts.form.correctFirst(broken.length));
      return;
    }
    const data = isNew ? creationOf(content, type, values) : changesOf(content, type, stored.base, values);
    const state =
      publication === undefined
        ? isNew && type.draftAndPublish
          ? null
          : undefined
        : publication === 'publish'
          ? new Date().toISOString()
          : null;
    setBusy(true);
    setFirst(undefined);
    show(undefined);
    try {
      const { entry } = await send({ ...data, ...(state !== undefined && { publishedAt: state }) });
      discard();
      setIssues([]);
      const isUnseen = willBeDraft && type.hidesDrafts === true;
      const done = publication === undefined ? texts.common.saved : texts.form[`${publication}ed`];
      show(isUnseen ? { kind: 'failed', text: texts.form.savedUnseen } : { kind: 'done', text: done });
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
      if (related !== undefined && entry !== undefined) related.onCreated(entry);
      else if (isUnseen) navigate(type.kind === 'singleType' ? '/' : lastList(type));
      else if (isNew && type.kind !== 'singleType') navigate(formAddress(type, entry?.id), { replace: true });
      else await queries.invalidateQueries({ queryKey: ['entry', type.path] });
    } catch (error) {
      await fail(error);
    }
    setBusy(false);
  };

  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await write((ifMatch) => api.send('DELETE', path, { query: type.plain ? {} : query, ifMatch }));
      discard();
      show({ kind: 'done', text: texts.form.deleted });
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
      if (type.kind === 'singleType') await queries.invalidateQueries({ queryKey: ['entry', type.path] });
      else navigate(lastList(type));
    } catch (error) {
      await fail(error);
    }
    setBusy(false);
  };

  const title = stored.entry?.attributes[titleAttribute(type)?.name ?? ''];
  const locale = localeOf(stored.entry) ?? origin.locale;
  const language = content.locales.find(({ code }) => code === locale)?.name;
  const heading = isNew
    ? texts.form.newOf(type.entryName, isLocalization ? language : undefined)
    : typeof title === 'string' && title !== ''
      ? title
      : `${type.entryName} ${id}`;
  const layout = layoutOf(type, isNew);
  const change = (name: string, value: Value): void => {
    setValues((current) => withValue(type, current, name, value, isNew ? slugify : undefined));
    const open = issues.filter(({ path }) => path !== name && !path.startsWith(`${name}.`));
    setIssues(open);
    // All of them were corrected.
    if (issues.length > 0 && open.length === 0) show(undefined);
  };
  const fields = { values, path: '', onChange: change };
  return (
    <FormContext
      value={{
        content,
        issues,
        isNew,
        fieldId,
        isLocked: !mayWrite || isBusy,
        unfolded,
        locale: type.localized ? locale : undefined,
        beside,
      }}
    >
      <form
        className="entry"
        noValidate
        aria-label={heading}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {related === undefined && <FormHeading type={type} heading={heading} mayWrite={mayWrite} isDirty={isDirty} />}
        {unsaved !== undefined && isDirty && (
          <p className="notice done">
            {texts.form.restored}
            <button
              type="button"
              onClick={() => {
                discard();
                setStored({ ...read, base });
                setValues(base);
              }}
            >
              {texts.form.discard}
            </button>
          </p>
        )}
        <div className="columns">
          <Sections label={texts.form.values} sections={layout.main} {...fields} />
          <SidePanel
            content={content}
            type={type}
            entry={stored.entry ?? read.source}
            isNew={isNew}
            isDraft={isDraft}
            isBusy={isBusy}
            // Enter in an empty form must not create an entry.
            canSave={
              mayWrite &&
              (isDirty ||
                isLocalization ||
                read.copied !== undefined ||
                related?.isBegun === true ||
                (isNew && type.kind === 'singleType'))
            }
            mayWrite={mayWrite}
            locale={locale}
            onPublish={(publication) => void save(publication)}
            onDelete={() => void remove()}
            beside={chosen}
            onCompare={setChosen}
          >
            <Sections label={texts.form.furtherValues} sections={layout.side} {...fields} />
          </SidePanel>
        </div>
      </form>
      {theirs !== undefined && (
        <Conflict
          content={content}
          type={type}
          versions={{ base: stored.base, mine: values, theirs: theirs.base }}
          entry={theirs.entry}
          onClose={() => setTheirs(undefined)}
          onMerge={(kept) => {
            setValues(merge({ base: stored.base, mine: values, theirs: theirs.base }, kept));
            setStored(theirs);
            setIssues([]);
            setTheirs(undefined);
          }}
        />
      )}
    </FormContext>
  );
}
