/** The files of a page that are selected together. */
export interface Selection {
  readonly ids: readonly number[];
  /** The file that was clicked last, where a range begins. */
  readonly anchor: number | undefined;
}

export const noSelection: Selection = { ids: [], anchor: undefined };

/** A click on a file: it becomes selected, or is not any more; a range changes as a whole, as the clicked file does. */
export function toggle({ ids, anchor }: Selection, shown: readonly number[], id: number, isRange: boolean): Selection {
  const changed = isRange && anchor !== undefined ? between(shown, anchor, id) : [id];
  const kept = ids.filter((other) => !changed.includes(other));
  return { ids: ids.includes(id) ? kept : [...kept, ...changed], anchor: id };
}

/** All that is shown, or nothing if all of it is selected already. */
export const toggleAll = ({ ids }: Selection, shown: readonly number[]): Selection =>
  shown.every((id) => ids.includes(id)) ? noSelection : { ids: shown, anchor: undefined };

export const without = ({ ids, anchor }: Selection, removed: readonly number[]): Selection => ({
  ids: ids.filter((id) => !removed.includes(id)),
  anchor,
});

/** From one to the other, in the order that is shown. */
function between(shown: readonly number[], anchor: number, id: number): readonly number[] {
  const [from, to] = [shown.indexOf(anchor), shown.indexOf(id)];
  return from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}
