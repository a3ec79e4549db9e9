import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { placeOf, unaliased } from './evaluate-context.ts';
import { readConversions, type ConversionDeclaration } from './conversion-chains.ts';
import { findDeclarations, type DeclarationCall } from './evaluate-declarations.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';
import { isProjectFile, type SourceProgram } from '../program/load.ts';
import { schemaExportOf, type SchemaExport } from './schema-export.ts';

/** One call `defineResource<Root>({…})` or `defineResource({ schema, … })`, which declares a kind. */
export interface ResourceDeclaration {
  /** Absolute path of the file that contains the call. */
  readonly file: string;
  readonly place: SourcePlace;
  /** Syntax node of the call. */
  readonly call: ts.CallExpression;
  /** The evaluated argument of the call, without the property `schema`. */
  readonly definition: Evaluated | undefined;
  /** Source of the kind's fields: the interface in the type argument, or the schema of a library. */
  readonly root: ts.InterfaceDeclaration | SchemaExport;
}

/** One call `loadManifest(Token, 'path')`. */
export interface ManifestCall {
  /** Absolute path of the file that contains the call. */
  readonly file: string;
  readonly place: SourcePlace;
  readonly resource: Evaluated | undefined;
  readonly path: Evaluated | undefined;
  /** Range of the second argument, which is the path, in the text of the file. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
}

/** One call of a declaration function that takes one argument, such as `defineController`. */
export interface SimpleDeclaration {
  /** Absolute path of the file that contains the call. */
  readonly file: string;
  readonly place: SourcePlace;
  /** Syntax node of the call. */
  readonly call: ts.CallExpression;
  readonly argument: Evaluated | undefined;
}

/** One call `defineWebhook(Token, { … })`. */
export interface WebhookDeclaration {
  /** Absolute path of the file that contains the call. */
  readonly file: string;
  readonly place: SourcePlace;
  /** Syntax node of the call. */
  readonly call: ts.CallExpression;
  readonly resource: Evaluated | undefined;
  readonly options: Evaluated | undefined;
}

/** All declarations that a project makes by calling functions of this package. */
export interface ProjectDeclarations {
  readonly resources: readonly ResourceDeclaration[];
  readonly controllers: readonly SimpleDeclaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly conversions: readonly ConversionDeclaration[];
  readonly permissions: readonly SimpleDeclaration[];
  readonly manifests: readonly ManifestCall[];
  /** Errors about code that cannot be read. If the list is not empty, no manifests may be written. */
  readonly findings: readonly Finding[];
}

/**
 * Reads the declarations in the sources of a project without running them. The sources are the root files and all files that they import.
 */
export function readDeclarations(source: SourceProgram): ProjectDeclarations {
  const files = source.program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && isProjectFile(source.program, file));
  const { calls, findings } = findDeclarations(source, files);
  const roots = calls.flatMap((call) =>
    call.callee === 'defineResource' ? [{ call, root: rootOf(source, call) }] : [],
  );
  const conversions = readConversions(source, files, calls);
  const simple = (callee: DeclarationCall['callee']): readonly SimpleDeclaration[] =>
    calls.flatMap((call) =>
      call.callee === callee
        ? [{ file: fileOf(call), place: call.place, call: call.node, argument: call.arguments[0] }]
        : [],
    );
  return {
    resources: roots.flatMap(({ call, root }) =>
      'code' in root
        ? []
        : [
            {
              file: fileOf(call),
              place: call.place,
              call: call.node,
              definition: withoutSchema(call.arguments[0]),
              root,
            },
          ],
    ),
    controllers: simple('defineController'),
    webhooks: calls.flatMap((call) => (call.callee === 'defineWebhook' ? [webhookDeclaration(call)] : [])),
    conversions: conversions.declarations,
    permissions: simple('rbac'),
    manifests: calls.flatMap((call) => (call.callee === 'loadManifest' ? [manifestCall(call)] : [])),
    findings: [
      ...findings,
      ...roots.flatMap(({ root }) => ('code' in root ? [root] : [])),
      ...conversions.findings,
    ],
  };
}

function fileOf({ node }: DeclarationCall): string {
  return node.getSourceFile().fileName;
}

function webhookDeclaration(call: DeclarationCall): WebhookDeclaration {
  const [resource, options] = call.arguments;
  return { file: fileOf(call), place: call.place, call: call.node, resource, options };
}

function manifestCall(call: DeclarationCall): ManifestCall {
  const [resource, path] = call.arguments;
  const argument = call.node.arguments[1];
  const range = argument && { start: argument.getStart(), end: argument.getEnd() };
  return { file: fileOf(call), place: call.place, resource, path, range };
}

/** Removes the property `schema`. Its value is created by a library, so it cannot be evaluated as a constant and is read separately. */
function withoutSchema(definition: Evaluated | undefined): Evaluated | undefined {
  if (definition?.type !== 'object' || !definition.properties.has('schema')) return definition;
  const properties = new Map(definition.properties);
  properties.delete('schema');
  return { ...definition, properties };
}

/**
 * Returns the interface in the type argument of `defineResource<Root>`, or the schema in its property `schema`. Returns a finding if the
 * call contains neither or both.
 */
function rootOf(
  source: SourceProgram,
  { node, place, arguments: [definition] }: DeclarationCall,
): ResourceDeclaration['root'] | Finding {
  const { ts } = source;
  const [argument] = node.typeArguments ?? [];
  const schema = schemaExportOf(source, definition);
  if (schema !== undefined && argument !== undefined)
    return {
      code: 'manifests/said-twice',
      message:
        'the fields of the kind are described twice: by an interface as type argument, and by `schema` of defineResource',
      where: place,
      fix: ['leave the type argument or `schema` out'],
    };
  if (schema !== undefined) return schema;
  const finding = (message: string, where: ts.Node): Finding => ({
    code: 'manifests/missing-type-argument',
    message,
    where: placeOf(source, where),
    fix: [
      'write `defineResource<Kind>({ … })` with `export interface Kind extends CustomResource { … }`',
      ...(argument === undefined ? ['or give a schema of a library: `defineResource({ schema, … })`'] : []),
    ],
  });
  if (argument === undefined)
    return finding(
      'defineResource needs an interface that describes the kind as its type argument, and has none',
      node,
    );
  if (!ts.isTypeReferenceNode(argument) || !ts.isIdentifier(argument.typeName)) {
    return finding(
      `expected the name of an interface as type argument of defineResource, got \`${argument.getText()}\``,
      argument,
    );
  }
  const symbol = source.checker.getSymbolAtLocation(argument.typeName);
  const target = symbol && unaliased(source, symbol);
  const declaration = target?.declarations?.find((candidate) => ts.isInterfaceDeclaration(candidate));
  if (
    declaration !== undefined &&
    (argument.typeArguments ?? []).length === 0 &&
    declaration.typeParameters === undefined
  )
    return declaration;
  const reason =
    target === undefined
      ? 'cannot be resolved'
      : declaration === undefined
        ? 'is not an interface'
        : 'is a generic interface';
  return finding(`\`${argument.getText()}\` ${reason}`, argument);
}
