import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A description of an API in OpenAPI 3.1, as far as tests read it. */
export interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, any>>>>;
  readonly components: { readonly schemas: object; readonly responses: Readonly<Record<string, any>> };
}

/** Validators of the parts of a description. */
export function validatorsOf(api: OpenApi) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(api, 'api');
  const schemaAt = (...path: readonly string[]): ValidateFunction => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    return ajv.compile({ $ref: `api#/${pointer}` });
  };
  return {
    schemaAt,
    /** Of the answers of an operation with a status. */
    answerTo: (method: string, path: string, status = 200): ValidateFunction =>
      schemaAt('paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'),
  };
}

/** The method and the path of each operation, with 1 for what is in braces. */
export const operationsOf = ({ paths }: Pick<OpenApi, 'paths'>): readonly (readonly [method: string, path: string])[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'delete']
      .filter((method) => method in methods)
      .map((method) => [method, `/api${path.replaceAll(/\{\w+\}/g, '1')}`] as const),
  );

/** The errors of a value. */
export const mistakes = (validate: ValidateFunction, value: unknown): unknown =>
  validate(value) ? [] : validate.errors;

/** The references within a description, each with whether there is something at its place. */
export function referencesIn(api: OpenApi): ReadonlyMap<string, boolean> {
  const references = new Set(JSON.stringify(api).match(/(?<="\$ref":"#\/)[^"]+/g));
  const at = (place: string): unknown =>
    place
      .split('/')
      .reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>> | undefined)?.[name], api);
  return new Map([...references].map((place) => [place, at(place) !== undefined]));
}
