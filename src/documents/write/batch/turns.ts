import { isRecord } from '../../../config/record.js';
import { isLocalizations, isLocalized, isShared } from '../../../content-types/model/localized.js';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import { isUnique } from '../../../content-types/model/unique.js';
import { holdsComponents } from '../../../content-types/model/walk.js';
import { isExclusive } from '../../../content-types/model/exclusive.js';
import { isStoredInTarget } from '../../../mongo/stored/relation.js';
import { hasRules } from '../../caller.js';
import type { EntryRequest } from '../../context.js';
import type { CheckVersion } from '../conditional/while-unchanged.js';
import { generatesUids } from '../generate-uids.js';

interface Common {
  readonly type: ContentType;
  readonly request: EntryRequest;
}

export type Operation =
  | (Common & {
      readonly kind: 'create';
      /** Later operations name the new entry by it. */
      readonly as?: string | undefined;
      /**
       * The entry of which the new one is a localization, a draft unless the data has a publication time: its id, or
       * `$` and its name.
       */
      readonly localizationOf?: number | string | undefined;
      readonly data: unknown;
    })
  | (Common & {
      readonly kind: 'update';
      readonly id: number;
      readonly data: unknown;
      readonly check?: CheckVersion | undefined;
    })
  | (Common & { readonly kind: 'delete'; readonly id: number; readonly check?: CheckVersion | undefined });

/**
 * The turns in which operations are executed: creations, or updates, of one type that follow each other share a turn if
 * none depends on another one.
 * @param runsCode whether code of the project runs for writes of a type: it sees in which order they are executed
 */
export function turnsOf(
  operations: readonly Operation[],
  runsCode: (type: ContentType) => boolean,
): readonly (readonly Operation[])[] {
  const isFree = (operation: Operation): boolean => !runsCode(operation.type) && dependsOnNoOther(operation);
  const turns: Operation[][] = [];
  for (const operation of operations) {
    const last = turns.at(-1);
    const former = last?.at(-1);
    if (former !== undefined && areAlike(former, operation) && isFree(former) && isFree(operation))
      last?.push(operation);
    else turns.push([operation]);
  }
  return turns;
}

/**
 * Whether they write entries of one type in the same way, and the second one cannot name the entry of the first one.
 */
const areAlike = (former: Operation, { type, kind }: Operation): boolean =>
  former.type === type && former.kind === kind && !(former.kind === 'create' && former.as !== undefined);

/**
 * Whether it only writes its own entry: nothing in its data is stored in another one, or taken from another one, and
 * neither its values nor the rights of its caller depend on what those before it have written.
 */
function dependsOnNoOther(operation: Operation): boolean {
  if (operation.kind === 'delete') return false;
  const { type, data, request } = operation;
  if (!isRecord(data)) return false;
  const attributes = Object.keys(data).flatMap((name) => type.attributes.get(name) ?? []);
  if (attributes.some((attribute) => isStoredElsewhere(attribute, type))) return false;
  if (operation.kind === 'create') return operation.localizationOf === undefined && !generatesUids(type);
  return !hasRules(request.caller) && !attributes.some((attribute) => isOrdered(attribute, type));
}

/**
 * Whether the order of writes matters: of two entries one can give up a unique value and the other take it, or one be
 * published and the other linked to it; localizations share values.
 */
const isOrdered = (attribute: Attribute, type: ContentType): boolean =>
  isUnique(attribute) ||
  holdsComponents(attribute) ||
  attribute.kind === 'morph' ||
  (attribute.kind === 'relation' && attribute.target === type) ||
  (isLocalized(type) && isShared(attribute, type));

const isStoredElsewhere = (attribute: Attribute, type: ContentType): boolean =>
  (attribute.kind === 'relation' && (isExclusive(attribute) || isLocalizations(attribute, type))) ||
  isStoredInTarget(attribute);
