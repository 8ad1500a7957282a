import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { Fields } from '../../form/fields.js';
import { FormContext } from '../../form/form-context.js';
import { ShownValue } from '../../form/shown-value.js';
import { Choice } from '../../inputs/choice.js';
import { mistakenLine } from '../../inputs/json/json.js';
import { useTexts } from '../../language/language.js';
import {
  changeable,
  changedByValue,
  changeWays,
  isGrowing,
  withOnly,
  type Change,
  type ChangeWay,
} from '../../model/lists/change.js';
import { isEmpty } from '../../model/body.js';
import { findIssues, type Issue } from '../../model/rules.js';
import { type Attribute } from '../../model/schema.js';
import { newValues, type Value, type Values } from '../../model/values.js';
import { Dialog } from '../../shell/dialog.js';
import type { Matching } from './matching-entries.js';
import { Counting } from './questions.js';
import { changeTask } from './tasks.js';
import { useMatching } from './use-matching.js';
import { useTasks } from './use-tasks.js';

interface Props {
  readonly matching: Matching;
  /** The ids of the selected ones; undefined: all that match are. */
  readonly ids: ReadonlySet<number> | undefined;
  readonly total: number;
  readonly onClose: () => void;
  readonly onBegin: () => void;
}

/**
 * Gives an attribute of many entries one value: it is written as in their form, and then asked about with the number of
 * entries.
 */
export function ChangeValue(props: Props) {
  const { matching, total, onClose } = props;
  const { content, type, state } = matching;
  const texts = useTexts();
  const attributes = changeable(type);
  const [name, setName] = useState('');
  const attribute = attributes.find((other) => other.name === name);
  const [values, setValues] = useState<Values>({});
  const [way, setWay] = useState<ChangeWay>('add');
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [change, setChange] = useState<Change>();
  const choose = (next: string): void => {
    setName(next);
    setIssues([]);
    const chosen = attributes.find((other) => other.name === next);
    setValues(chosen === undefined ? {} : emptyValues(matching, chosen));
  };
  const check = (chosen: Attribute): void => {
    const rules = { draft: true, publishing: false, stored: true, texts: texts.rules, mistakenLine };
    const broken = findIssues(content, withOnly(type, chosen), values, rules);
    setIssues(broken);
    if (broken.length > 0) return;
    setChange({ attribute: chosen, way: isGrowing(chosen) ? way : 'replace', value: values[chosen.name] ?? null });
  };
  const isNothing = attribute !== undefined && isGrowing(attribute) && way !== 'replace' && isEmpty(values[name]);
  const form = {
    content,
    issues,
    isNew: false,
    fieldId: (path: string) => `change-${path}`,
    isLocked: false,
    locale: type.localized && state.locale !== '' ? state.locale : undefined,
    beside: undefined,
  };
  if (change !== undefined)
    return (
      <FormContext value={form}>
        <ChangeQuestion {...props} change={change} onBack={() => setChange(undefined)} />
      </FormContext>
    );
  return (
    <Dialog title={texts.bulk.changeTitle(total)} onClose={onClose} wide>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (attribute !== undefined) check(attribute);
        }}
      >
        <Choice
          label={texts.filters.attribute}
          value={name}
          placeholder={texts.bulk.chooseAttribute}
          onChange={choose}
          options={attributes.map((other) => ({ value: other.name, label: other.label }))}
        />
        {attribute !== undefined && isGrowing(attribute) && (
          <Choice
            label={texts.bulk.way}
            value={way}
            onChange={(next) => setWay(next as ChangeWay)}
            options={changeWays.map((one) => ({ value: one, label: texts.bulk.ways[one] }))}
          />
        )}
        {attribute !== undefined && (
          <FormContext value={form}>
            <Fields
              key={name}
              attributes={[attribute]}
              values={values}
              path=""
              onChange={(changed: string, value: Value) => {
                setValues((current) => ({ ...current, [changed]: value }));
                setIssues([]);
              }}
            />
          </FormContext>
        )}
        <div className="actions">
          <button type="submit" className="primary" disabled={attribute === undefined || isNothing}>
            {texts.bulk.goOn}
          </button>
          <button type="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Not the defaults, which are those of new entries. */
const emptyValues = ({ content, type }: Matching, attribute: Attribute): Values =>
  newValues(content, withOnly(type, 'default' in attribute ? { ...attribute, default: null } : attribute), 'change');

interface QuestionProps extends Props {
  readonly change: Change;
  readonly onBack: () => void;
}

/** Reads which entries have another value, and asks with their number. */
function ChangeQuestion({ matching, ids, total, change, onClose, onBegin, onBack }: QuestionProps) {
  const { content, type } = matching;
  const { bulk: texts } = useTexts();
  const { api } = useSession();
  const tasks = useTasks();
  const wanted = { ...matching, attributes: change.attribute.read ? [change.attribute] : [] };
  const { entries, count, error } = useMatching(wanted, ids);
  if (entries === undefined) return <Counting {...{ count, total, error, onClose }} />;
  const changed: readonly Entry[] = changedByValue(content, type, change, entries);
  const same = entries.length - changed.length;
  const { label } = change.attribute;
  return (
    <Dialog title={texts.askChange(label, changed.length)} onClose={onClose}>
      {isGrowing(change.attribute) && <p>{texts.askWays[change.way]}</p>}
      <blockquote className="value">
        <ShownValue {...change} />
      </blockquote>
      {same > 0 && <p>{texts.stayAsTheyAre(same)}</p>}
      {type.draftAndPublish && <p>{texts.follows[type.workingCopies === true ? 'prepared' : 'published']}</p>}
      <p>{texts.refusedAreListed}</p>
      <div className="actions">
        <button type="button" onClick={onBack}>
          {texts.back}
        </button>
        <button
          type="button"
          className="primary"
          disabled={changed.length === 0 || tasks.isBusy}
          onClick={() => {
            onClose();
            onBegin();
            tasks.begin(changeTask(api, wanted, change, changed));
          }}
        >
          {texts.change}
        </button>
      </div>
    </Dialog>
  );
}
