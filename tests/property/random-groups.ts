import { attributesBehind } from '../../src/content-types/model/walk.js';
import type { Attribute, ContentType, ScalarAttribute } from '../../src/content-types/model/types.js';
import { isScalar, type ValuePath } from '../../src/query/ast.js';
import { dateParts, hasPart, isMeasured, measureFunctions, type DatePart } from '../../src/query/measures.js';
import type { QueryInput } from '../../src/query/parse/input.js';
import { isPopulated, isReadable } from '../../src/query/visibility.js';
import type { Choices } from './choices.js';

const parts = Object.keys(dateParts) as readonly DatePart[];

/** A path through relations and components, to a value of any kind. */
function randomPath({ attributes }: ContentType, { chance, oneOf }: Choices, longest: number) {
  const names: string[] = [];
  const through: ValuePath['through'][number][] = [];
  let level: ReadonlyMap<string, Attribute> = attributes;
  while (through.length < longest && chance(55)) {
    const steps = [...level.values()].filter(
      (one) => (one.kind === 'relation' || one.kind === 'component') && isPopulated(one, 'client'),
    );
    if (steps.length === 0) break;
    const step = oneOf(steps) as ValuePath['through'][number];
    through.push(step);
    names.push(step.name);
    level = attributesBehind(step) ?? new Map();
  }
  const fields = [...level.values()].filter(isScalar).filter((field) => isReadable(field, 'client'));
  const field: ScalarAttribute | undefined = fields.length === 0 || chance(12) ? undefined : oneOf(fields);
  return { name: [...names, field?.name ?? 'id'].join('.'), through, type: field?.type ?? ('integer' as const) };
}

/** Parameters of a request for groups, most of which are valid. */
export function randomGroups(type: ContentType, choices: Choices): QueryInput {
  const { chance, below, oneOf } = choices;
  const keys = new Map<string, DatePart | undefined>();
  for (let left = below(4); left > 0; left -= 1) {
    // Dates more often than others, so that their parts are compared.
    const paths = Array.from({ length: 4 }, () => randomPath(type, choices, 3));
    const dated = paths.find((path) => parts.some((part) => hasPart(path.type, part)));
    const path = chance(30) ? (dated ?? paths[0]) : paths[0];
    if (path === undefined) continue;
    const possible = parts.filter((part) => hasPart(path.type, part));
    keys.set(path.name, possible.length > 0 && chance(70) ? oneOf(possible) : undefined);
  }
  const measured = new Map<string, string[]>();
  for (let left = below(4); left > 0; left -= 1) {
    const path = randomPath(type, choices, 2);
    const possible = measureFunctions.filter((name) => isMeasured(path.type, name));
    const name = oneOf(possible);
    measured.set(name, [...(measured.get(name) ?? []), path.name]);
  }
  const sortable = [
    'count',
    ...keys.keys(),
    ...[...measured].flatMap(([name, of]) => of.map((one) => `${name}.${one}`)),
  ];
  const having: Record<string, unknown> = {};
  if (chance(20)) having['count'] = { [oneOf(['$gt', '$lte', '$ne'])]: String(1 + below(4)) };
  for (const name of ['sum', 'avg', 'min', 'countDistinct'])
    for (const path of measured.get(name) ?? [])
      if (chance(25)) having[name] = { [path]: { [oneOf(['$gte', '$lt', '$notNull', '$null'])]: String(below(12)) } };
  return {
    groupBy: [...keys].map(([name, part]) =>
      part === undefined ? name : chance(50) ? `${name}:${part}` : { [name]: part },
    ),
    ...Object.fromEntries(measured),
    ...(Object.keys(having).length > 0 && { having }),
    ...(chance(60) && {
      sort: Array.from({ length: 1 + below(2) }, () => `${oneOf(sortable)}:${oneOf(['asc', 'desc'])}`),
    }),
    timeZone: oneOf(['UTC', 'Europe/Berlin', 'America/St_Johns', '-03:30']),
    pagination: chance(30) ? { pageSize: String(1 + below(4)), page: String(1 + below(2)) } : { pageSize: '1000' },
  };
}
