import type { Times } from '../api/schedules.js';
import { DateInput } from '../inputs/dates/date-input.js';
import { ExplainedError } from '../language/message-of.js';
import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import { timeOf } from '../language/time-of.js';
import { toLocal } from '../model/scalars.js';

const names = ['publishAt', 'unpublishAt'] as const;

/** The times that were chosen, as the API takes them. */
export type ChosenTimes = Readonly<Partial<Record<(typeof names)[number], string>>>;

/** The fields for when entries are published and unpublished. */
export function ScheduleFields({ times }: { readonly times?: Times }) {
  const texts = useTexts().schedule;
  return (
    <>
      {names.map((name) => {
        const time = times?.[name] ?? null;
        return (
          <DateInput
            key={name}
            kind="instant"
            granularity="minute"
            label={texts[name]}
            name={name}
            defaultValue={time === null ? '' : toLocal(new Date(time))}
          />
        );
      })}
      <p className="hint">{texts.hint}</p>
    </>
  );
}

/** What was chosen in the fields. @throws ExplainedError for what the service would refuse, in words of the form */
export function chosenTimes(form: HTMLFormElement, texts: Texts['schedule']): ChosenTimes {
  const fields = new FormData(form);
  const chosen = names.flatMap((name): readonly (readonly [typeof name, string])[] => {
    const text = fields.get(name);
    return typeof text === 'string' && text !== '' ? [[name, new Date(text).toISOString()]] : [];
  });
  const [first, second] = chosen;
  if (first === undefined) throw new ExplainedError(texts.noTime);
  const past = chosen.find(([, time]) => new Date(time) <= new Date());
  if (past !== undefined) throw new ExplainedError(texts.isPast(texts[past[0]]));
  if (first[1] === second?.[1]) throw new ExplainedError(texts.sameTimes);
  return Object.fromEntries(chosen);
}

/** What will happen, and when. */
export const describeTimes = (texts: Texts, { publishAt, unpublishAt }: ChosenTimes): string =>
  [
    ...(publishAt === undefined ? [] : [texts.schedule.publish(timeOf(texts, publishAt))]),
    ...(unpublishAt === undefined ? [] : [texts.schedule.unpublish(timeOf(texts, unpublishAt))]),
  ].join(' · ');
