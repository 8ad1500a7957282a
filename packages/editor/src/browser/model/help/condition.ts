import { isEmpty } from '../body.js';
import type { Attribute, Condition, Model } from '../schema.js';
import type { Value, Values } from '../values.js';

type Compared = string | number | boolean;

/** Whether the value of a form is one of a definition: the form has numbers as they are typed. */
const isValue = (value: Value, compared: Compared): boolean =>
  typeof compared === 'number' ? value !== '' && value !== null && Number(value) === compared : value === compared;

/** The tests of conditions, as in `pluginOptions.editor.condition`. */
const tests: {
  readonly [Test in Exclude<keyof Condition, 'attribute'>]-?: (
    value: Value,
    expected: NonNullable<Condition[Test]>,
  ) => boolean;
} = {
  equals: isValue,
  not: (value, compared) => !isValue(value, compared),
  in: (value, compared) => compared.some((one) => isValue(value, one)),
  isSet: (value, isExpected) => isEmpty(value) !== isExpected,
};

/**
 * Whether a form shows an attribute of an entry or a component with these values. One that depends on an attribute
 * which is not shown either is not shown; one that depends on what the user may not read always is.
 */
export function isShownWith({ attributes }: Pick<Model, 'attributes'>, name: string, values: Values): boolean {
  const condition = attributes.find((attribute) => attribute.name === name)?.condition;
  if (condition === undefined) return true;
  const { attribute: asked, ...expectations } = condition;
  if (!attributes.some((attribute) => attribute.name === asked && attribute.read)) return true;
  const value = values[asked] ?? null;
  const holds = Object.entries(expectations).every(([test, expected]) =>
    (tests[test as keyof typeof tests] as (value: Value, expected: unknown) => boolean)(value, expected),
  );
  return holds && isShownWith({ attributes }, asked, values);
}

/**
 * Whether a form offers an attribute: its condition holds, or its value had to be corrected.
 * @param path before the names: empty, or e.g. `blocks.0.`
 * @param uncovered the paths of values that had to be corrected
 */
export const isOfferedWith =
  (model: Model, values: Values, path: string, uncovered: ReadonlySet<string> = new Set()) =>
  ({ name }: Attribute): boolean =>
    isShownWith(model, name, values) ||
    [...uncovered].some((other) => other === `${path}${name}` || other.startsWith(`${path}${name}.`));
