import type * as Yup from 'yup';
import { lazyBundled } from '../../config/lazy-require.js';
import { print } from '../../documents/input/validate/messages.js';
import type { Anything, Named } from '../strapi.js';
import { errors, type YupError } from './errors.js';
import { stringUtilities } from './strings.js';

const loadYup = lazyBundled<typeof Yup>('yup');

interface TypeMismatch {
  readonly path: string;
  readonly type: string;
  readonly value?: unknown;
  readonly originalValue?: unknown;
}

function notType({ path, type, value, originalValue }: TypeMismatch): string {
  const isCast = originalValue !== undefined && originalValue !== null && originalValue !== value;
  const cast = isCast ? ` (cast from the value \`${print(originalValue)}\`).` : '.';
  return `${path} must be a \`${type}\` type, but the final value was: \`${print(value)}\`${cast}`;
}

const isFunction = (value: unknown): boolean => value === undefined || typeof value === 'function';
const hasFunctions = (value: unknown): boolean =>
  value === undefined || Object.values(value ?? { none: null }).every((rule) => typeof rule === 'function');

/** A method of schemas that tests a value; the message can be replaced by the caller. */
type Test = readonly [
  schema: 'mixed' | 'string' | 'object',
  method: string,
  message: string,
  fits: (value: Anything) => boolean,
];

const tests: readonly Test[] = [
  ['mixed', 'notNil', '${path} must be defined.', (value) => value !== undefined && value !== null],
  ['mixed', 'notNull', '${path} cannot be null.', (value) => value !== null],
  ['mixed', 'isFunction', '${path} is not a function', isFunction],
  [
    'string',
    'isCamelCase',
    '${path} is not in camel case (anExampleOfCamelCase)',
    (value) => !value || stringUtilities.isCamelCase(value),
  ],
  [
    'string',
    'isKebabCase',
    '${path} is not in kebab case (an-example-of-kebab-case)',
    (value) => !value || stringUtilities.isKebabCase(value),
  ],
  ['object', 'onlyContainsFunctions', '${path} contains values that are not functions', hasFunctions],
];

/** Items of a list whose property equals that of another item. */
function uniqueProperty(yup: typeof Yup, property: string, message: string) {
  return function test(this: Anything, list: readonly Named[] | undefined): true {
    const repeated = (list ?? []).flatMap((item, index) => {
      const isRepeated = (list ?? []).filter((other) => other[property] === item[property]).length > 1;
      return isRepeated ? [this.createError({ path: `${this.path}[${index}].${property}`, message })] : [];
    });
    if (repeated.length > 0) throw new yup.ValidationError(repeated);
    return true;
  };
}

function extendYup(): Named {
  const yup = loadYup();
  const addMethod = yup.addMethod as (schema: unknown, name: string, method: unknown) => void;
  for (const [schema, name, message, fits] of tests) {
    addMethod(yup[schema], name, function method(this: Anything, own: string = message) {
      return this.test(name, own, fits);
    });
  }
  addMethod(yup.array, 'uniqueProperty', function method(this: Anything, property: string, message: string) {
    return this.test('unique', message, uniqueProperty(yup, property, message));
  });
  yup.setLocale({ mixed: { notType } });
  class StrapiIDSchema extends (yup as Anything).MixedSchema {
    constructor() {
      super({ type: 'strapiID' });
    }

    _typeCheck(value: unknown): boolean {
      return typeof value === 'string' || (Number.isInteger(value) && Number(value) >= 0);
    }
  }
  return { ...yup, StrapiIDSchema, strapiID: () => new StrapiIDSchema() };
}

/** A project can use another copy of yup, with another error class. */
const isYupError = (error: unknown): error is YupError =>
  error instanceof Error && error.name === 'ValidationError' && Array.isArray((error as { inner?: unknown }).inner);

/** @throws YupValidationError */
function handleYupError(error: YupError, message?: string): never {
  throw new errors.YupValidationError(error, message);
}

const rethrow = (error: unknown, message?: string): never => {
  if (isYupError(error)) handleYupError(error, message);
  throw error;
};

const defaults = { strict: true, abortEarly: false };

/** `yup` of `@strapi/utils`, loaded on first use, and the functions that validate with it. */
export function createYupUtilities() {
  let extended: Named | undefined;
  return {
    get yup(): Named {
      extended ??= extendYup();
      return extended;
    },
    handleYupError,
    validateYupSchema:
      (schema: Anything, options: object = {}) =>
      async (body: unknown, message?: string): Promise<unknown> => {
        try {
          return await schema.validate(body, { ...defaults, ...options });
        } catch (error) {
          return rethrow(error, message);
        }
      },
    validateYupSchemaSync:
      (schema: Anything, options: object = {}) =>
      (body: unknown, message?: string): unknown => {
        try {
          return schema.validateSync(body, { ...defaults, ...options });
        } catch (error) {
          return rethrow(error, message);
        }
      },
  };
}
