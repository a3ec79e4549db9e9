import { existsSync, readFileSync } from 'node:fs';
import { defaultPlural } from '../../util/plural.ts';
import type { DeclarationFunction, EvaluateContext } from './evaluate-context.ts';
import type { Evaluated, EvaluatedOpaque, TokenInfo } from './evaluated-value.ts';

/**
 * The token that a call of `defineResource` or `externalResource` makes, from its evaluated argument.
 * @returns undefined if the call is neither, or gives no group, version or kind; of `externalResource` also without plural or scope
 */
export function evaluateToken(
  callee: DeclarationFunction,
  values: readonly Evaluated[],
): { readonly type: 'token'; readonly token: TokenInfo } | EvaluatedOpaque | undefined {
  if (callee === 'resourceToken') return tokenOfParts(values);
  if (callee !== 'defineResource' && callee !== 'externalResource') return undefined;
  const [definition] = values;
  if (definition?.type === 'opaque') return definition;
  if (definition?.type !== 'object') return undefined;
  const required = (name: string): Evaluated | undefined =>
    definition.properties.get(name)?.value ?? definition.holes[0];
  const optional = (name: string): Evaluated | undefined => definition.properties.get(name)?.value;
  const external = callee === 'externalResource';
  const maybe = external ? required : optional;
  const needed = [required('group'), required('version'), required('kind'), maybe('plural'), maybe('scope')];
  const unknown = needed.find((value) => value?.type === 'opaque');
  if (unknown?.type === 'opaque') return unknown;
  const [group, version, kind, plural, scope] = needed.map(text);
  if (group === undefined || version === undefined || kind === undefined) return undefined;
  if (external && (plural === undefined || scope === undefined)) return undefined;
  return {
    type: 'token',
    token: { group, version, kind, plural: plural ?? defaultPlural(kind), namespaced: scope !== 'Cluster' },
  };
}

function text(value: Evaluated | undefined): string | undefined {
  return value?.type === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}

/** `resourceToken('apps', 'v1', 'Deployment', 'deployments', true)`, as the sources of the built-in kinds have it. */
function tokenOfParts(
  values: readonly Evaluated[],
): { readonly type: 'token'; readonly token: TokenInfo } | undefined {
  const [group, version, kind, plural] = values.map(text);
  const namespaced = values[4]?.type === 'scalar' ? values[4].value : undefined;
  if (group === undefined || version === undefined || kind === undefined || plural === undefined)
    return undefined;
  return typeof namespaced === 'boolean'
    ? { type: 'token', token: { group, version, kind, plural, namespaced } }
    : undefined;
}

const declarationFiles = new Map<string, ReadonlyMap<string, TokenInfo>>();

/**
 * A built-in kind's token: declaration files say no values, the JavaScript beside them does
 * (`export const Deployment = resourceToken('apps', 'v1', 'Deployment', 'deployments', true)`, made by our generator).
 * @param fileName the `.d.ts` of this package that declares it
 */
export function tokenOfDeclarationFile(
  context: EvaluateContext,
  fileName: string,
  name: string,
): TokenInfo | undefined {
  const known = declarationFiles.get(fileName) ?? readTokens(context, fileName.replace(/\.d\.ts$/, '.js'));
  declarationFiles.set(fileName, known);
  return known.get(name);
}

function readTokens({ ts }: EvaluateContext, script: string): ReadonlyMap<string, TokenInfo> {
  const tokens = new Map<string, TokenInfo>();
  if (!existsSync(script)) return tokens;
  const source = ts.createSourceFile(
    script,
    readFileSync(script, 'utf8'),
    ts.ScriptTarget.ESNext,
    false,
    ts.ScriptKind.JS,
  );
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const call = initializer;
      if (
        !ts.isIdentifier(name) ||
        call === undefined ||
        !ts.isCallExpression(call) ||
        !ts.isIdentifier(call.expression)
      )
        continue;
      if (call.expression.text !== 'resourceToken') continue;
      const [group, version, kind, plural] = call.arguments.map((argument) =>
        ts.isStringLiteral(argument) ? argument.text : undefined,
      );
      const namespaced = call.arguments[4]?.kind === ts.SyntaxKind.TrueKeyword;
      if (group === undefined || version === undefined || kind === undefined || plural === undefined)
        continue;
      tokens.set(name.text, { group, version, kind, plural, namespaced });
    }
  }
  return tokens;
}
