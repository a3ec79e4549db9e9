import type ts from 'typescript';
import { defaultPlural } from '../../../base/util/plural.ts';
import type { EvaluateContext } from './evaluate-context.ts';
import type { TokenInfo } from './evaluated-value.ts';

/**
 * The token that a package exports: its declaration file does not say its value, but the JavaScript beside it does, if it calls
 * `defineResource` or `externalResource` of opsdk with literals. Nothing is run.
 *
 * @param declaration the `.d.ts`, `.d.mts` or `.d.cts` that declares it
 * @param name of the constant in that file
 */
export function packageToken(
  context: EvaluateContext,
  declaration: string,
  name: string,
): TokenInfo | undefined {
  const { ts, readFile } = context;
  const script = declaration.replace(/\.d\.([mc]?)ts$/, '.$1js');
  const text = script === declaration ? undefined : readFile(script);
  if (text === undefined) return undefined;
  const source = ts.createSourceFile(script, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const functions = importedFunctions(ts, source);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const variable of statement.declarationList.declarations) {
      if (!ts.isIdentifier(variable.name) || variable.name.text !== name) continue;
      return variable.initializer && tokenOfCall(ts, variable.initializer, functions);
    }
  }
  return undefined;
}

type Declares = 'defineResource' | 'externalResource';

/** Local names of the functions of opsdk that make tokens. */
function importedFunctions(typescript: typeof ts, source: ts.SourceFile): ReadonlyMap<string, Declares> {
  const found = new Map<string, Declares>();
  for (const statement of source.statements) {
    if (!typescript.isImportDeclaration(statement)) continue;
    const { moduleSpecifier, importClause } = statement;
    const bindings = importClause?.namedBindings;
    if (!typescript.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== 'opsdk') continue;
    if (bindings === undefined || !typescript.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      const imported = (propertyName ?? name).text;
      if (imported === 'defineResource' || imported === 'externalResource') found.set(name.text, imported);
    }
  }
  return found;
}

function tokenOfCall(
  typescript: typeof ts,
  call: ts.Expression,
  functions: ReadonlyMap<string, Declares>,
): TokenInfo | undefined {
  if (!typescript.isCallExpression(call) || !typescript.isIdentifier(call.expression)) return undefined;
  const callee = functions.get(call.expression.text);
  const [literal] = call.arguments;
  if (callee === undefined || literal === undefined) return undefined;
  // A spread may set any of the properties.
  if (!typescript.isObjectLiteralExpression(literal)) return undefined;
  if (literal.properties.some((property) => typescript.isSpreadAssignment(property))) return undefined;
  const text = (name: string): string | undefined | null => {
    const property = literal.properties.find((each) => each.name?.getText() === name);
    if (property === undefined) return undefined;
    if (!typescript.isPropertyAssignment(property)) return null;
    return typescript.isStringLiteralLike(property.initializer) ? property.initializer.text : null;
  };
  const [group, version, kind, plural, scope] = ['group', 'version', 'kind', 'plural', 'scope'].map(text);
  if (group == null || version == null || kind == null || plural === null || scope === null) return undefined;
  if (callee === 'externalResource' && (plural === undefined || scope === undefined)) return undefined;
  return { group, version, kind, plural: plural ?? defaultPlural(kind), namespaced: scope !== 'Cluster' };
}
