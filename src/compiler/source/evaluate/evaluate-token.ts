import { existsSync, readFileSync } from 'node:fs';
import type { Expression } from 'typescript';
import { defaultPlural } from '../../../base/util/kubernetes-words.ts';
import type { DeclarationFunction, EvaluateContext } from './evaluate-context.ts';
import type { Evaluated, EvaluatedOpaque, TokenInfo } from './evaluated-value.ts';

/**
 * Returns the token that a call of `defineResource` or `externalResource` creates, from the evaluated argument of the call.
 * @returns undefined if the function is a different one, or if the argument lacks a group, version or kind. For `externalResource`, plural
 * and scope are also required
 */
export function evaluateToken(
  callee: DeclarationFunction,
  values: readonly Evaluated[],
): { readonly type: 'token'; readonly token: TokenInfo } | EvaluatedOpaque | undefined {
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

const declarationFiles = new Map<string, ReadonlyMap<string, TokenInfo>>();

/**
 * Returns the token of a built-in kind. Declaration files contain no values, so the token is read from the JavaScript file that belongs to
 * the declaration file. op-sdk's generator writes this file: `export const Deployment = externalResource({ group: 'apps', version: 'v1', …
 * })`.
 * @param fileName the `.d.ts` file of this package that declares the kind
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
      if (!ts.isIdentifier(name) || initializer === undefined || !ts.isCallExpression(initializer)) continue;
      const { expression, arguments: values } = initializer;
      if (!ts.isIdentifier(expression) || expression.text !== 'externalResource') continue;
      const token = tokenOfLiteral(ts, values[0]);
      if (token !== undefined) tokens.set(name.text, token);
    }
  }
  return tokens;
}

function tokenOfLiteral(ts: EvaluateContext['ts'], literal: Expression | undefined): TokenInfo | undefined {
  if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return undefined;
  const parts = new Map<string, string>();
  for (const property of literal.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
    if (ts.isStringLiteral(property.initializer)) parts.set(property.name.text, property.initializer.text);
  }
  const [group, version, kind, plural, scope] = ['group', 'version', 'kind', 'plural', 'scope'].map((name) =>
    parts.get(name),
  );
  if (group === undefined || version === undefined || kind === undefined || plural === undefined)
    return undefined;
  return scope === undefined
    ? undefined
    : { group, version, kind, plural, namespaced: scope === 'Namespaced' };
}
