import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { ownPath } from '../program/project-boundary.ts';
import { placeOf, type EvaluateContext } from './evaluate-context.ts';
import type { DeclarationCall } from './evaluate-declarations.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';

/** One call `.spoke(Token, { … })` in a conversion. */
export interface DeclaredSpoke {
  /** Place of the word `spoke` in the call. */
  readonly place: SourcePlace;
  readonly resource: Evaluated | undefined;
}

/** One conversion `defineConversion(Hub).spoke(Spoke, { … })`, with all of its `.spoke` calls. */
export interface ConversionDeclaration {
  /** Absolute path of the file that contains the conversion. */
  readonly file: string;
  /** Place at which the call of `defineConversion` starts. */
  readonly place: SourcePlace;
  /** Last call of the chain. Its value is the complete conversion. */
  readonly call: ts.CallExpression;
  readonly hub: Evaluated | undefined;
  readonly spokes: readonly DeclaredSpoke[];
}

interface ReadConversions {
  readonly declarations: readonly ConversionDeclaration[];
  /**
   * Errors about calls of `spoke` outside of a chain that starts with `defineConversion`. The conversion to which they belong is unknown.
   */
  readonly findings: readonly Finding[];
}

/** Reads the conversions in the given files. Each conversion is a chain that starts with a call of `defineConversion`. */
export function readConversions(
  context: EvaluateContext,
  files: readonly ts.SourceFile[],
  calls: readonly DeclarationCall[],
): ReadConversions {
  const { ts } = context;
  const chains = calls
    .filter(({ callee }) => callee === 'defineConversion')
    .map((call) => ({ call, spokes: spokesOf(context, call.node) }));
  if (chains.length === 0) return { declarations: [], findings: [] };
  const declarations = chains.map(({ call, spokes }) => ({
    file: call.node.getSourceFile().fileName,
    place: call.place,
    call: spokes.at(-1) ?? call.node,
    hub: call.arguments[0],
    spokes: spokes.map((spoke): DeclaredSpoke => {
      const [resource] = spoke.arguments;
      return {
        place: placeOf(
          context,
          ts.isPropertyAccessExpression(spoke.expression) ? spoke.expression.name : spoke,
        ),
        resource: resource && evaluate(context, resource),
      };
    }),
  }));
  const chained = new Set(chains.flatMap(({ spokes }) => spokes.map(({ expression }) => expression)));
  return { declarations, findings: files.flatMap((file) => looseSpokes(context, file, chained)) };
}

/** Returns the calls of `spoke` that are chained to a call, in the order of the source. */
function spokesOf(context: EvaluateContext, call: ts.CallExpression): readonly ts.CallExpression[] {
  const { ts } = context;
  let node: ts.Expression = call;
  while (ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || access.name.text !== 'spoke') return [];
  const next = access.parent;
  if (!ts.isCallExpression(next) || next.expression !== access) return [];
  return [next, ...spokesOf(context, next)];
}

function looseSpokes(
  context: EvaluateContext,
  file: ts.SourceFile,
  chained: ReadonlySet<ts.Expression>,
): readonly Finding[] {
  const { ts } = context;
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'spoke' && !chained.has(node)) {
      if (isOwnSpoke(context, node.name)) findings.push(looseSpoke(context, node.name));
    }
    ts.forEachChild(node, visit);
  };
  if (file.text.includes('spoke')) visit(file);
  return findings;
}

/** Returns true if a name refers to the method `spoke` of op-sdk's type `ConversionOf`. */
function isOwnSpoke({ ts, checker }: EvaluateContext, name: ts.MemberName): boolean {
  return (checker.getSymbolAtLocation(name)?.declarations ?? []).some(
    (declaration) =>
      ownPath(declaration.getSourceFile().fileName) !== undefined &&
      ts.isInterfaceDeclaration(declaration.parent) &&
      declaration.parent.name.text === 'ConversionOf',
  );
}

function looseSpoke(context: EvaluateContext, node: ts.Node): Finding {
  return {
    code: 'manifests/indirect-declaration',
    message:
      '`spoke` is not called in the chain of `defineConversion`: which versions are converted cannot be read from the source',
    where: placeOf(context, node),
    fix: ['write one chain: `defineConversion(Hub).spoke(V1, { … }).spoke(V2, { … })`'],
  };
}
