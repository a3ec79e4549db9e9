import type * as tsj from 'ts-json-schema-generator';
import type ts from 'typescript';
import { memberName } from '../comments/doc-comments.ts';
import {
  emptyObject,
  engineFailure,
  functionType,
  declaredTwice,
  notUnderstood,
  recursive,
  stringKeys,
  templateKeys,
  unsupported,
  type Refusal,
} from './refusals.ts';
import { docsClash } from './shared-field.ts';
import {
  type EngineContext,
  type EngineParser,
  type EngineType,
  type ParserContext,
  sharedType,
} from './types.ts';

const tooDeep = (name: string, levels: number): Refusal => ({
  code: 'schema/recursive-type',
  message: `the type nests more than ${levels} types inside of one another${name === '' ? '' : `, down to ${name}`}`,
  fix: [
    'give the type fewer levels',
    'or cut the type at a field: `@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field',
  ],
});

// Maximum number of nested levels. A generic type may grow with every level (`Tree<T[]>`), and a schema with more levels is a mistake.
const deepest = 64;

type ObjectNode = ts.InterfaceDeclaration | ts.TypeLiteralNode;

/**
 * Parsers for interfaces, type literals, aliases and enums. The schema generator (the engine) has its own parsers, but they drop methods
 * and declarations with the same name, and identify types by positions, which may be equal in two files. The parsers here identify each
 * type by its syntax node.
 */
export function declarationParsers(context: ParserContext): EngineParser[] {
  const { ts } = context.source;
  const circular = circularGuard(context);
  return [
    circular({
      supportsNode: (node) => ts.isTypeAliasDeclaration(node),
      createType: (node, engineContext) => aliasType(context, node as ts.TypeAliasDeclaration, engineContext),
    }),
    circular({
      supportsNode: (node) => ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node),
      createType: (node, engineContext) => objectType(context, node as ObjectNode, engineContext),
    }),
    enumParser(context),
  ];
}

function aliasType(
  context: ParserContext,
  node: ts.TypeAliasDeclaration,
  engineContext: EngineContext,
): EngineType {
  pushTypeParameters(context, node, engineContext);
  const inner = context.chain.createType(node.type, engineContext);
  if (inner instanceof context.engine.NeverType) return inner;
  const alias = new context.engine.AliasType(keyOf(node, engineContext), inner);
  return named(context, node.name.text, context.annotated(node, alias));
}

function objectType(context: ParserContext, node: ObjectNode, engineContext: EngineContext): EngineType {
  const { engine, source } = context;
  const isInterface = source.ts.isInterfaceDeclaration(node);
  if (!isInterface && node.members.length === 0) return context.refused(node, emptyObject('{}'));
  const parts = isInterface ? interfaceParts(context, node) : [node];
  const clash = isInterface ? partsClash(context, parts) : undefined;
  if (clash !== undefined) return context.refused(node, clash);
  for (const part of parts)
    if (source.ts.isInterfaceDeclaration(part)) pushTypeParameters(context, part, engineContext);
  const members = parts.flatMap((part) => [...part.members]);
  const bases = parts.flatMap((part) =>
    source.ts.isInterfaceDeclaration(part) ? baseTypes(context, part, engineContext) : [],
  );
  const properties = once(
    context,
    members.flatMap((member) => propertyOf(context, member, engineContext)),
  );
  const index = members.find((member) => source.ts.isIndexSignatureDeclaration(member));
  const additional = index === undefined ? false : indexType(context, index, engineContext);
  const type = new engine.ObjectType(keyOf(node, engineContext), bases, [...properties], additional);
  const annotated = parts.reduceRight<EngineType>((inner, part) => context.annotated(part, inner), type);
  return isInterface ? named(context, node.name.text, annotated) : annotated;
}

/** Merges fields that occur in several declarations of one interface. */
function once(
  context: ParserContext,
  properties: readonly tsj.ObjectProperty[],
): readonly tsj.ObjectProperty[] {
  const names = new Map<string, tsj.ObjectProperty[]>();
  for (const property of properties)
    names.set(property.getName(), [...(names.get(property.getName()) ?? []), property]);
  return [...names].flatMap(([name, same]) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    const types = same.map((property) => property.getType());
    const isRequired = same.some((property) => property.isRequired());
    return [new context.engine.ObjectProperty(name, sharedType(context, name, types), isRequired)];
  });
}

/** Returns all declarations of an interface, in the order in which the compiler found them. */
function interfaceParts(
  { source: { ts, checker } }: ParserContext,
  node: ts.InterfaceDeclaration,
): readonly ts.InterfaceDeclaration[] {
  const declarations = checker.getSymbolAtLocation(node.name)?.declarations ?? [];
  return declarations.length < 2 ? [node] : declarations.filter((item) => ts.isInterfaceDeclaration(item));
}

/**
 * Rejects declarations of one interface whose docs contradict each other. Each declaration may have docs, but different docs are rejected.
 */
function partsClash(context: ParserContext, parts: readonly ts.Node[]): Refusal | undefined {
  const [first, ...rest] = parts.map((part) => context.docs.of(part));
  if (first === undefined || rest.length === 0) return undefined;
  const clash = rest.map((doc) => docsClash([first], [doc])).find((item) => item !== undefined);
  return clash === undefined ? undefined : declaredTwice(first.label, clash);
}

function indexType(
  context: ParserContext,
  node: ts.IndexSignatureDeclaration,
  engineContext: EngineContext,
): EngineType {
  const { ts } = context.source;
  const key = node.parameters[0]?.type;
  if (key?.kind === ts.SyntaxKind.StringKeyword) return child(context, node.type, node, engineContext);
  const isTemplate = key !== undefined && ts.isTemplateLiteralTypeNode(key);
  return context.refused(node, isTemplate ? templateKeys : stringKeys);
}

function baseTypes(
  context: ParserContext,
  node: ts.InterfaceDeclaration,
  engineContext: EngineContext,
): EngineType[] {
  return (node.heritageClauses ?? []).flatMap((clause) =>
    clause.types.map((type) => child(context, type, type, engineContext)),
  );
}

function propertyOf(
  context: ParserContext,
  member: ts.TypeElement,
  engineContext: EngineContext,
): tsj.ObjectProperty[] {
  const { ts } = context.source;
  if (ts.isIndexSignatureDeclaration(member)) return [];
  const { ObjectProperty } = context.engine;
  const text = member.getText().split('\n')[0] ?? '';
  if (!ts.isPropertySignature(member)) {
    const inside = ts.isMethodSignature(member)
      ? { signature: { declaration: member, where: engineContext } }
      : {};
    const refused = context.refused(member, functionType(text), true, inside);
    const name = member.name === undefined ? text : memberName(ts, member.name);
    return [new ObjectProperty(name, refused, true)];
  }
  const name = nameInJson(context, member.name);
  const type =
    name === undefined
      ? context.refused(member, computedName(member.name.getText()))
      : child(context, member.type, member, engineContext);
  return [
    new ObjectProperty(
      name ?? member.name.getText(),
      context.annotated(member, type),
      member.questionToken === undefined,
    ),
  ];
}

/**
 * Returns the name of a field in JSON. For a constant or enum member in brackets, returns its value. Returns undefined if the field has no
 * name in JSON.
 */
function nameInJson({ source: { ts, checker } }: ParserContext, name: ts.PropertyName): string | undefined {
  if (!ts.isComputedPropertyName(name)) return memberName(ts, name);
  const type = checker.getTypeAtLocation(name.expression);
  return type.isStringLiteral() || type.isNumberLiteral() ? String(type.value) : undefined;
}

const computedName = (name: string): Refusal =>
  unsupported(
    `the field name \`${name}\` is not that of a constant: only the running program knows it`,
    'write the name out, or declare it with `const` and a literal',
  );

/**
 * Returns the type of a node. If the engine cannot read a type, returns a refusal and does not throw, so that all unreadable types are
 * found in one run.
 */
function child(
  context: ParserContext,
  node: ts.TypeNode | undefined,
  place: ts.Node,
  engineContext: EngineContext,
): EngineType {
  const { engine } = context;
  if (node === undefined)
    return context.refused(place, unsupported('the field has no type', 'give it a type'));
  try {
    return context.chain.createType(node, engineContext);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const understood = error instanceof engine.BaseError && !(error instanceof engine.UnhandledError);
    return context.refused(node, understood ? engineFailure(error.message) : notUnderstood);
  }
}

function enumParser(context: ParserContext): EngineParser {
  const { ts, checker } = context.source;
  const parser = new context.engine.EnumNodeParser(checker);
  return {
    supportsNode: (node) => ts.isEnumDeclaration(node),
    createType: (node, engineContext) => {
      const declaration = node as ts.EnumDeclaration;
      // Refused, because the engine would use the source text of the expression as the value of the member.
      const computed = declaration.members.find((member) => checker.getConstantValue(member) === undefined);
      if (computed !== undefined) return context.refused(computed, computedMember(computed.getText()));
      const values = (parser.createType(declaration, engineContext) as tsj.EnumType).getValues();
      const type = new context.engine.EnumType(keyOf(node, engineContext), values);
      return named(context, declaration.name.text, context.annotated(node, type));
    },
  };
}

const computedMember = (text: string) =>
  unsupported(`the value of the enum member \`${text}\` is computed`, 'write the value out');

function pushTypeParameters(
  context: ParserContext,
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
  engineContext: EngineContext,
): void {
  for (const parameter of node.typeParameters ?? []) {
    engineContext.pushParameter(parameter.name.text);
    if (parameter.default === undefined) continue;
    engineContext.setDefault(parameter.name.text, context.chain.createType(parameter.default, engineContext));
  }
}

// The mapped types of the engine ignore annotations and aliases, but keep definitions. Without a definition, an optional `Int32` inside of
// Partial would lose its name, and an alias inside of Partial would lose its tags.
function named(context: ParserContext, name: string, type: EngineType): EngineType {
  return new context.engine.DefinitionType(name, type);
}

const nodeIds = new WeakMap<ts.Node, number>();
let lastNodeId = 0;

// Short ids identify the type arguments, because the length of written-out arguments would double with every level of `Twice<Twice<…>>`.
const argumentIds = new Map<string, number>();

function keyOf(node: ts.Node, engineContext: EngineContext): string {
  const id = nodeIds.get(node) ?? ++lastNodeId;
  nodeIds.set(node, id);
  const args = engineContext.getArguments().map((arg: EngineType | undefined) => arg?.getId() ?? '');
  if (args.length === 0) return `node-${id}<>`;
  const list = args.join(',');
  const argumentsId = argumentIds.get(list) ?? argumentIds.size;
  argumentIds.set(list, argumentsId);
  return `node-${id}<${argumentsId}>`;
}

/** Detects types that refer to themselves while they are being parsed. */
function circularGuard(context: ParserContext): (parser: EngineParser) => EngineParser {
  const open = new Set<string>();
  return (parser) => ({
    supportsNode: (node) => parser.supportsNode(node),
    createType: (node, engineContext) => {
      const key = keyOf(node, engineContext);
      const name = (node as { name?: ts.Identifier }).name?.text ?? '';
      if (open.has(key)) return context.refused(undefined, recursive(name));
      if (open.size > deepest) {
        // True for the same declaration with other arguments, such as `Tree<T[]>` inside of Tree<T>.
        const declaration = key.slice(0, key.indexOf('<') + 1);
        const grows = [...open].some((other) => other.startsWith(declaration));
        return context.refused(undefined, grows ? recursive(name) : tooDeep(name, deepest));
      }
      open.add(key);
      try {
        return parser.createType(node, engineContext);
      } finally {
        open.delete(key);
      }
    },
  });
}
