import {
  getOperationAST,
  GraphQLError,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { isRecord } from '../../config/record.js';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { DataCount } from '../../documents/input/data-bounds.js';
import { AppError } from '../../errors/app-error.js';
import { refuse, type GraphqlOperation } from './operation.js';

interface CountOptions {
  readonly schema: GraphQLSchema;
  /** What is written by values of the input types of these names. */
  readonly written: ReadonlyMap<string, ContentType | Component>;
  readonly openCount: () => DataCount;
  /** Names and elements of lists in variables that are no data of writes. */
  readonly limit: number;
}

/** An operation with a document that can be parsed. */
export interface ParsedOperation {
  readonly operation: Pick<GraphqlOperation, 'operationName' | 'variables'>;
  readonly document: DocumentNode;
}

/** Why the operations of a request are refused for what their variables hold together; undefined if they are not. */
export type RefuseVariables = (operations: readonly ParsedOperation[]) => GraphQLError | undefined;

/**
 * Counts what variables hold before the schema makes values of them, which takes microseconds for each name and
 * element: the data of writes as in the body of a REST request, and of all other variables the names and elements.
 * Values of scalars such as JSON are kept as they are.
 */
export const createRefuseVariables =
  (options: CountOptions): RefuseVariables =>
  (operations) => {
    const visit = createVisit(options);
    try {
      for (const { document, operation } of operations) {
        const { variableDefinitions = [] } = getOperationAST(document, operation.operationName) ?? {};
        const variables = isRecord(operation.variables) ? operation.variables : {};
        for (const { variable, type } of variableDefinitions) {
          const declared = typeFromAST(options.schema, type) as GraphQLInputType | undefined;
          if (declared !== undefined) visit(declared, variables[variable.name.value]);
        }
      }
      return undefined;
    } catch (error) {
      if (error instanceof GraphQLError) return error;
      if (error instanceof AppError) return new GraphQLError(error.message, { originalError: error });
      throw error;
    }
  };

/** @throws AppError validation, GraphQLError */
function createVisit({ written, openCount, limit }: CountOptions) {
  const data = openCount();
  let values = 0;
  const countValue = (): void => {
    values += 1;
    const message = `The variables hold too much: at most ${limit} names and elements of lists (variableLimit)`;
    if (values > limit) throw refuse(message, 'GRAPHQL_VALIDATION_FAILED');
  };
  const modelOf = (type: GraphQLInputType): ContentType | Component | undefined =>
    isNonNullType(type) ? modelOf(type.ofType) : isInputObjectType(type) ? written.get(type.name) : undefined;
  const visit = (type: GraphQLInputType, value: unknown): void => {
    const model = modelOf(type);
    if (model !== undefined && !Array.isArray(value)) {
      data.add(model, value);
    } else if (isNonNullType(type)) {
      visit(type.ofType, value);
    } else if (isListType(type)) {
      const isOfModels = modelOf(type.ofType) !== undefined;
      for (const element of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
        if (!isOfModels) countValue();
        visit(type.ofType, element);
      }
    } else if (isInputObjectType(type) && isRecord(value)) {
      const fields = type.getFields();
      for (const [name, part] of Object.entries(value)) {
        countValue();
        const field = fields[name];
        if (field !== undefined) visit(field.type, part);
      }
    }
  };
  return visit;
}
