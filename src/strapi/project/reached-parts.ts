import { childrenOf, isNode, nodesOf, textOf, type Node } from './syntax-tree.js';

/** A value that is known before code runs; undefined: it is not. */
export type KnownValue = string | boolean | undefined;

/** The value of an expression whose parts are no conditions, such as a name. */
type ValueOf = (expression: Node) => KnownValue;

/** Whether a condition holds; undefined: it is not known. */
function truthOf(condition: unknown, valueOf: ValueOf): boolean | undefined {
  const value = isNode(condition) ? known(condition, valueOf) : undefined;
  return value === undefined ? undefined : Boolean(value);
}

/** The value of an expression: of texts, of comparisons with them, and of what these are combined to. */
export function known(expression: Node, valueOf: ValueOf): KnownValue {
  const { operator, left, right } = expression;
  switch (expression.type) {
    case 'StringLiteral':
    case 'TemplateLiteral':
      return textOf(expression);
    case 'BooleanLiteral':
      return expression['value'] === true;
    case 'UnaryExpression': {
      const truth = operator === '!' ? truthOf(expression['argument'], valueOf) : undefined;
      return truth === undefined ? undefined : !truth;
    }
    case 'LogicalExpression': {
      const decides = deciding.get(operator);
      const truths = new Set([left, right].map((part) => truthOf(part, valueOf)));
      if (decides === undefined || truths.has(decides)) return decides;
      return truths.has(undefined) ? undefined : !decides;
    }
    case 'BinaryExpression': {
      const isEqual = equality.get(operator);
      const [one, other] = [left, right].map((part) => (isNode(part) ? known(part, valueOf) : undefined));
      return isEqual === undefined || one === undefined || other === undefined
        ? undefined
        : (one === other) === isEqual;
    }
    default:
      return isIncluded(expression, valueOf) ?? valueOf(expression);
  }
}

/** The truth of one part that decides about both. */
const deciding: ReadonlyMap<unknown, boolean> = new Map([
  ['&&', false],
  ['||', true],
]);

const equality: ReadonlyMap<unknown, boolean> = new Map([
  ['===', true],
  ['==', true],
  ['!==', false],
  ['!=', false],
]);

/** `['postgres', 'mysql'].includes(client)` */
function isIncluded({ callee, arguments: given }: Node, valueOf: ValueOf): KnownValue {
  const { object, property }: Partial<Node> = isNode(callee) ? callee : {};
  const [wanted] = nodesOf(given);
  if (!isNode(object) || !isNode(property) || wanted === undefined) return undefined;
  if (object.type !== 'ArrayExpression' || property['name'] !== 'includes') return undefined;
  const value = known(wanted, valueOf);
  const elements = new Set(nodesOf(object['elements']).map((element) => known(element, valueOf)));
  return value === undefined || elements.has(undefined) ? undefined : elements.has(value);
}

/**
 * The parts of a node that run, in their order: without branches whose condition does not hold, and without what comes
 * after a return. Each is asked for after the ones before have been read: `valueOf` may know more by then.
 */
export function* reachedParts(node: Node, valueOf: ValueOf): Generator<Node> {
  const { test, left, body, discriminant } = node;
  if (branches.has(node.type)) {
    const truth = truthOf(test, valueOf);
    yield* nodesOf(test);
    if (truth !== false) yield* nodesOf(node['consequent']);
    if (truth !== true) yield* nodesOf(node['alternate']);
  } else if (node.type === 'LogicalExpression') {
    yield* nodesOf(left);
    const decides = deciding.get(node['operator']);
    if (decides === undefined || truthOf(left, valueOf) !== decides) yield* nodesOf(node['right']);
  } else if (node.type === 'SwitchStatement') {
    yield* nodesOf(discriminant);
    yield* reachedCases(node, valueOf);
  } else if (Array.isArray(body)) yield* reachedStatements(nodesOf(body), valueOf);
  else yield* childrenOf(node);
}

const branches: ReadonlySet<string> = new Set(['IfStatement', 'ConditionalExpression']);

function* reachedStatements(statements: readonly Node[], valueOf: ValueOf): Generator<Node> {
  let hasLeft = false;
  for (const statement of statements) {
    // Functions are there before the statements run.
    if (!hasLeft || statement.type === 'FunctionDeclaration') yield statement;
    hasLeft ||= leaves(statement, valueOf);
  }
}

/** Whether nothing after a statement runs. */
function leaves(statement: Node, valueOf: ValueOf): boolean {
  if (statement.type === 'ReturnStatement' || statement.type === 'ThrowStatement') return true;
  if (statement.type === 'BlockStatement') return nodesOf(statement['body']).some((inner) => leaves(inner, valueOf));
  if (statement.type !== 'IfStatement') return false;
  const truth = truthOf(statement['test'], valueOf);
  const { consequent, alternate } = statement;
  const isLeftBy = (branch: unknown): boolean => isNode(branch) && leaves(branch, valueOf);
  return (truth === false || isLeftBy(consequent)) && (truth === true || isLeftBy(alternate));
}

/** The cases from the one that applies on: what comes before it does not run, if it is known. */
function reachedCases({ discriminant, cases }: Node, valueOf: ValueOf): readonly Node[] {
  const all = nodesOf(cases);
  const value = isNode(discriminant) ? known(discriminant, valueOf) : undefined;
  const tests = all.map(({ test }) => (isNode(test) ? known(test, valueOf) : 'default'));
  if (value === undefined || tests.includes(undefined)) return all;
  const isDefault = ({ test }: Node): boolean => !isNode(test);
  const applies = all.findIndex((one, index) => !isDefault(one) && tests[index] === value);
  const start = applies === -1 ? all.findIndex(isDefault) : applies;
  return start === -1 ? [] : all.slice(start);
}
