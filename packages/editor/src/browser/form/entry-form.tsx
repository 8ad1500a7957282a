import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { anotherAddress, localeOf } from '../api/entries.js';
import { focusField, focusFirstField } from '../inputs/focus-field.js';
import { useTexts } from '../language/language.js';
import { isOfferedWith } from '../model/help/condition.js';
import { layoutOf, mayPublish, titleAttribute } from '../model/schema.js';
import { Status } from '../list/cell.js';
import { EntryBar } from './bar/entry-bar.js';
import { Conflict } from './compare/conflict.js';
import { Sections } from './fields.js';
import { useUncovered } from './help/use-uncovered.js';
import { FormContext } from './form-context.js';
import { FormHeading } from './form-heading.js';
import { localizationOf } from './localizations/localizations.js';
import { LivePreview } from './preview/live-preview.js';
import { Deleted } from './presence/deleted.js';
import { Presence } from './presence/presence.js';
import { usePresence } from './presence/use-presence.js';
import { usePreview } from './preview/use-preview.js';
import { ReviewPanel } from './review/review-panel.js';
import { SidePanel } from './side-panel.js';
import { useBeside } from './localizations/use-beside.js';
import { IssueList } from './issue-list.js';
import { usePublished } from './compare/use-published.js';
import { mayStore } from './form-read.js';
import type { Edited } from './edited.js';
import { useEntry } from './use-entry.js';

/** The form of an entry. */
export function EntryForm(edited: Edited) {
  const { content, type, id, origin, query, read, related } = edited;
  const texts = useTexts();
  const entry = useEntry(edited);
  const [, navigate] = useLocation();
  const { stored, values, firstIssue, isBusy, isDirty } = entry;
  const presence = usePresence(type, related === undefined ? stored : undefined, isDirty);
  const isNew = id === undefined;
  const isLocalization = isNew && read.source !== undefined;
  const mayWrite = mayStore(type, read);
  const fieldId = (path: string): string => `field${related?.depth ?? ''}-${path}`;
  // While the form is sent, it may be locked.
  useEffect(() => {
    if (firstIssue !== undefined && !isBusy) focusField(firstIssue.path, fieldId);
  }, [firstIssue, isBusy]);
  useEffect(() => {
    if (isNew) focusFirstField();
  }, []);
  const published = usePublished({ content, type, id, query, stored: entry.read });
  // A link to an entry that could not be published names what has to be corrected.
  const isChecked = new URLSearchParams(useSearch()).has('check');
  useEffect(() => {
    if (isChecked && related === undefined) entry.check();
  }, []);
  // What a localization translates is beside it, and stays there when it is stored.
  const [source] = useState(isLocalization ? read.source : undefined);
  const [chosen, setChosen] = useState(source && localizationOf(source));
  const beside = useBeside({ content, type, query, chosen, source });

  const preview = usePreview(content, type, isNew || related !== undefined ? undefined : stored);
  const leadToField = useCallback((path: string) => focusField(path, fieldId), []);

  const title = stored?.attributes[titleAttribute(type)?.name ?? ''];
  const locale = localeOf(stored) ?? origin.locale;
  const language = content.locales.find(({ code }) => code === locale)?.name;
  const heading = isNew
    ? texts.form.newOf(type.entryName, isLocalization ? language : undefined)
    : typeof title === 'string' && title !== ''
      ? title
      : `${type.entryName} ${id}`;
  const bar = (
    <EntryBar
      content={content}
      type={type}
      entry={stored}
      state={entry.state}
      isDirty={isDirty}
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
      mayPublish={mayWrite && mayPublish(type, isNew)}
      others={presence.others}
      locale={locale}
      now={values}
      onPublish={(publication) => void entry.save(publication)}
      onAsk={
        type.review === true &&
        mayWrite &&
        !mayPublish(type, isNew) &&
        related === undefined &&
        (type.workingCopies === true || entry.state === 'draft')
          ? (note) => void entry.ask(note)
          : undefined
      }
      onSaveThenNew={
        isNew && !isLocalization && related === undefined && type.kind === 'collectionType'
          ? () => void entry.save(undefined, true)
          : undefined
      }
      onDelete={() => void entry.remove()}
      onDiscard={() => void entry.discardChanges()}
      onPreview={preview.shown === undefined ? preview.toggle : undefined}
      onTake={entry.take}
    />
  );
  const uncovered = useUncovered(entry.issues);
  const layout = layoutOf(type, isNew, isOfferedWith(type, values, '', uncovered));
  const fields = { values, path: '', onChange: entry.change };
  return (
    <FormContext
      value={{
        content,
        issues: entry.issues,
        uncovered,
        isNew,
        fieldId,
        isLocked: !mayWrite,
        locale: type.localized ? locale : undefined,
        changed: entry.changed,
        published,
        beside,
      }}
    >
      <form
        className="entry"
        noValidate
        // What is typed while an entry is sent is kept, unless the form closes then.
        inert={related !== undefined && isBusy}
        aria-label={heading}
        onSubmit={(event) => {
          event.preventDefault();
          void entry.save();
        }}
      >
        {related === undefined && (
          <FormHeading
            type={type}
            heading={heading}
            tags={
              <>
                {type.draftAndPublish && <Status state={entry.state} />}
                {type.localized && language !== undefined && <span className="tag">{language}</span>}
              </>
            }
            note={mayWrite ? isDirty && texts.form.unsaved : texts.form.readOnly}
            bar={bar}
          >
            <Presence presence={presence} isBusy={isBusy} onLoad={() => void entry.reload()} />
            <ReviewPanel
              type={type}
              entry={stored}
              isDirty={isDirty}
              isBusy={isBusy}
              mayPublish={mayWrite && mayPublish(type, false)}
              onChanged={() => void entry.reload()}
            />
          </FormHeading>
        )}
        {presence.isGone && stored !== undefined && !isBusy && (
          <Deleted
            {...{ content, type, query, values, isDirty }}
            entry={stored}
            onRestored={() => void entry.reload()}
            onKept={entry.forget}
          />
        )}
        {entry.discard !== undefined && (
          <p className="notice done">
            {texts.form.restored}
            <button type="button" onClick={entry.discard}>
              {texts.form.discard}
            </button>
            {isNew && related === undefined && type.kind === 'collectionType' && (
              <button type="button" onClick={() => navigate(anotherAddress(type, origin.locale))}>
                {texts.form.beginAnother}
              </button>
            )}
          </p>
        )}
        <IssueList content={content} type={type} values={values} issues={entry.issues} onGo={entry.goTo} />
        <div className={preview.shown === undefined ? 'columns' : 'columns previewed'}>
          <Sections label={texts.form.values} sections={layout.main} {...fields} />
          {preview.shown !== undefined && preview.toggle !== undefined && (
            <LivePreview
              {...{ content, type, values, base: entry.base }}
              {...preview.shown}
              onField={leadToField}
              onClose={preview.toggle}
            />
          )}
          <SidePanel
            content={content}
            type={type}
            entry={stored ?? read.source}
            isNew={isNew}
            state={entry.state}
            isBusy={isBusy}
            findMissing={entry.findMissing}
            mayPublish={mayWrite && mayPublish(type, isNew)}
            locale={locale}
            beside={chosen}
            onCompare={setChosen}
          >
            <Sections label={texts.form.furtherValues} sections={layout.side} {...fields} />
          </SidePanel>
        </div>
        {related !== undefined && bar}
      </form>
      {entry.conflict !== undefined && <Conflict type={type} {...entry.conflict} />}
    </FormContext>
  );
}
