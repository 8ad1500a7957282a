/** An element of `connect`, as a client writes it. */
export interface Comer {
  readonly id: number;
  readonly place: { readonly start: true } | { readonly before: number } | { readonly after: number } | undefined;
}

/**
 * The list that Strapi v4 makes of a list of ids and a `connect`, as a simple model: an element's neighbour comes
 * first, unless it is linked. Undefined when the write is refused.
 * @param loose an element whose neighbour is missing comes last
 */
export function connectInOrder(
  ids: readonly number[],
  connect: readonly Comer[],
  loose = false,
): readonly number[] | undefined {
  if (new Set(connect.map(({ id }) => id)).size < connect.length) return undefined;
  const order: Comer[] = [];
  const visit = (comer: Comer, above: readonly number[]): boolean => {
    if (order.includes(comer)) return true;
    const neighbour = neighbourOf(comer) ?? Number.NaN;
    const waiting = [...above, comer.id];
    if (waiting.includes(neighbour)) return false;
    const first = ids.includes(neighbour) ? undefined : connect.find(({ id }) => id === neighbour);
    if (first !== undefined && !visit(first, waiting)) return false;
    order.push(comer);
    return true;
  };
  if (!connect.every((comer) => visit(comer, []))) return undefined;
  let list = [...ids];
  for (const comer of order) {
    const others = list.filter((id) => id !== comer.id);
    const index = indexIn(others, comer, loose);
    if (index === undefined) return undefined;
    list = [...others.slice(0, index), comer.id, ...others.slice(index)];
  }
  return list;
}

function neighbourOf({ place }: Comer): number | undefined {
  if (place === undefined || 'start' in place) return undefined;
  return 'before' in place ? place.before : place.after;
}

function indexIn(others: readonly number[], comer: Comer, loose: boolean): number | undefined {
  const { place } = comer;
  if (place === undefined) return others.length;
  if ('start' in place) return 0;
  const neighbour = others.indexOf(neighbourOf(comer) ?? Number.NaN);
  if (neighbour < 0) return loose ? others.length : undefined;
  return neighbour + ('after' in place ? 1 : 0);
}
