import { Environment } from '@marcbachmann/cel-js';
import { readCel } from '../cel/cel-syntax.ts';
import { celFunctionNames, runFunction } from './functions.ts';
import { sound } from './operators.ts';
import { translate } from './translate.ts';
import { UnsupportedCel } from './unsupported.ts';
import { libraryClasses } from './library-classes.ts';
import { CelFault, CelOptional, noOverload, valueClasses, type CelValue } from './values.ts';

/** A node of an expression that cel-js has parsed. */
type Node = object;

/** The part of cel-js that evaluates nodes. */
interface Runner {
  run(node: Node, scope: unknown): CelValue;
}

/** The part of cel-js that types nodes. */
interface Checker {
  check(node: Node, scope: unknown): unknown;
  getType(name: string): unknown;
}

type Evaluate = (runner: Runner, args: readonly Node[], scope: unknown) => CelValue;

/** Makes a macro of cel-js: the function gets its arguments unevaluated. */
function macro(evaluate: Evaluate) {
  return ({ args, ast }: { args: readonly Node[]; ast: Node }): object => ({
    args,
    ast,
    async: false,
    typeCheck(checker: Checker, _macro: unknown, scope: unknown) {
      for (const arg of args) checker.check(arg, scope);
      return checker.getType('dyn');
    },
    evaluate: (runner: Runner, _macro: unknown, scope: unknown) => evaluate(runner, args, scope),
  });
}

/** Evaluates operands until one decides. An error counts only if no operand decides. Source: cel-go `evalAnd`, `evalOr`. */
const logical =
  (deciding: boolean): Evaluate =>
  (runner, [list], scope) => {
    let fault: unknown;
    for (const operand of (list as { args: readonly Node[] }).args) {
      try {
        const value = runner.run(operand, scope);
        if (value === deciding) return deciding;
        if (typeof value !== 'boolean') fault ??= noOverload();
      } catch (error) {
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault as Error;
    return !deciding;
  };

function optionalOf(value: CelValue): CelOptional {
  if (!(value instanceof CelOptional)) throw noOverload();
  return value;
}

const apply: Evaluate = (runner, [name, ...args], scope) =>
  sound(
    runFunction(
      runner.run(name as Node, scope) as string,
      args.map((arg) => sound(runner.run(arg, scope))),
    ),
  );

const choose: Evaluate = (runner, [condition, yes, no], scope) => {
  const value = runner.run(condition as Node, scope);
  if (typeof value !== 'boolean') throw noOverload();
  return runner.run((value ? yes : no) as Node, scope);
};

let environment: Environment | undefined;

function machine(): Environment {
  if (environment !== undefined) return environment;
  const limits = {
    ...{ maxAstNodes: 1_000_000, maxDepth: 1000, maxListElements: 100_000 },
    ...{ maxMapEntries: 100_000, maxCallArguments: 32 },
  };
  environment = new Environment({ homogeneousAggregateLiterals: false, limits });
  for (const [name, type] of Object.entries({ ...valueClasses, ...libraryClasses }))
    environment.registerType(name, type);
  const register = (signature: string, evaluate: Evaluate): void =>
    void environment?.registerFunction(signature, macro(evaluate));
  for (let count = 1; count <= 6; count++)
    register(`_k(${Array.from({ length: count }, () => 'ast').join(', ')}): dyn`, apply);
  register('_and(ast): dyn', logical(false));
  register('_or(ast): dyn', logical(true));
  register('_list(ast): dyn', (runner, [list], scope) =>
    (list as { args: readonly Node[] }).args.map((item) => sound(runner.run(item, scope))),
  );
  register('_if(ast, ast, ast): dyn', choose);
  register('_or(ast, ast): dyn', (runner, [left, right], scope) => {
    const value = optionalOf(runner.run(left as Node, scope));
    return value.value === undefined ? optionalOf(runner.run(right as Node, scope)) : value;
  });
  register('_orValue(ast, ast): dyn', (runner, [left, right], scope) => {
    const { value } = optionalOf(runner.run(left as Node, scope));
    return value === undefined ? runner.run(right as Node, scope) : sound(value);
  });
  for (const name of ['self', 'oldSelf']) environment.registerVariable(name, 'dyn');
  return environment;
}

/** The values of the variables of an expression. */
export interface CelVariables {
  readonly self: CelValue;
  readonly oldSelf: CelValue;
}

/** An expression that can be evaluated. @throws CelFault */
export type CelProgram = (variables: CelVariables) => CelValue;

/**
 * Compiles an expression.
 * @throws UnsupportedCel if it uses what cannot be evaluated here
 */
export function compileCel(expression: string): CelProgram {
  const read = readCel(expression);
  if ('problem' in read) throw new UnsupportedCel(`this expression: ${read.problem}`);
  const text = translate(read.tree, ['self', 'oldSelf'], (name) => celFunctionNames.has(name));
  const run = machine().parse(text);
  return (variables) => {
    try {
      return sound(run({ ...variables }) as CelValue);
    } catch (error) {
      throw faultOf(error);
    }
  };
}

/** Errors of cel-js that are errors of the expression. */
const overloadCodes = new Set(['invalid_condition_type', 'invalid_logical_operand', 'no_such_overload']);

function faultOf(error: unknown): unknown {
  if (error instanceof CelFault || error instanceof UnsupportedCel || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (overloadCodes.has(code)) return noOverload();
  return new UnsupportedCel(`this expression: ${error.message.split('\n')[0] ?? ''}`);
}
