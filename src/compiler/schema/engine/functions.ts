import type ts from 'typescript';
import type { Doc } from '../shape.ts';
import { isKnownTag } from '../tags/tag-names.ts';
import { functionType, unsupported, type Refusal } from './refusals.ts';
import {
  type EngineContext,
  type EngineParser,
  type EngineType,
  type Inside,
  type ParserContext,
  docAnnotation,
  type OpaqueForm,
} from './types.ts';

const tupleType = (text: string): Refusal => ({
  code: 'schema/tuple',
  message: `\`${text}\` is a tuple; Kubernetes knows only lists whose items are all of one type`,
  fix: ['use an array, or an interface with named fields'],
});

/**
 * Parsers for functions, tuples, and the standard library's types `ReturnType`, `Parameters` and `Awaited`, which extract parts of
 * functions and promises. A function has no JSON form, but the types of its parameters and of its result may have one.
 */
export function functionParsers(context: ParserContext): EngineParser[] {
  const { ts, program } = context.source;
  const { engine } = context;
  const tuples = new engine.TupleNodeParser(context.source.checker, context.chain);
  const libraryType = (node: ts.Node): LibraryType | undefined =>
    ts.isTypeAliasDeclaration(node) &&
    Object.hasOwn(libraryTypes, node.name.text) &&
    program.isSourceFileDefaultLibrary(node.getSourceFile())
      ? libraryTypes[node.name.text]
      : undefined;
  return [
    {
      supportsNode: (node) => libraryType(node) !== undefined,
      createType(node, engineContext) {
        const [argument] = engineContext.getArguments();
        const take = libraryType(node);
        if (take === undefined || argument === undefined)
          throw new TypeError('the parser was given a node that it does not support');
        return take(context, argument);
      },
    },
    {
      supportsNode: (node) => ts.isFunctionTypeNode(node),
      createType: (node, engineContext) =>
        callable(context, node, node as ts.FunctionTypeNode, engineContext),
    },
    {
      supportsNode: (node) => ts.isTupleTypeNode(node),
      createType: (node, engineContext) =>
        context.refused(node, tupleType(shortText(node)), true, {
          seen: () => tuples.createType(node as ts.TupleTypeNode, engineContext),
        }),
    },
  ];
}

/**
 * Creates the type of a function. A schema that contains this type is refused. The type keeps the function's declaration, so that its
 * parameter and return types can be read.
 */
export function callable(
  context: ParserContext,
  place: ts.Node,
  declaration: ts.SignatureDeclaration,
  where: EngineContext,
): EngineType {
  return context.refused(place, functionType(shortText(place)), true, { signature: { declaration, where } });
}

/** Returns the declared return type of a function; undefined for any other type. */
export function returnedBy(context: ParserContext, type: EngineType): EngineType | undefined {
  const signature = insideOf(context, type).signature;
  if (signature === undefined) return undefined;
  const { declaration, where } = signature;
  const generic = genericRefusal(context, declaration);
  if (generic !== undefined) return generic;
  if (declaration.type !== undefined) return context.chain.createType(declaration.type, where);
  const { checker } = context.source;
  const known = checker.getSignatureFromDeclaration(declaration);
  return known && context.checked.read(checker.getReturnTypeOfSignature(known), declaration);
}

type LibraryType = (context: ParserContext, argument: EngineType) => EngineType;

const libraryTypes: Readonly<Record<string, LibraryType>> = {
  ReturnType: (context, argument) =>
    returnedBy(context, argument) ?? context.refused(undefined, noFunction('ReturnType')),
  Parameters: (context, argument) => parameters(context, argument),
  Awaited: (context, argument) => awaited(context, argument),
  NoInfer: (_context, argument) => argument,
};

function parameters(context: ParserContext, type: EngineType): EngineType {
  const { engine, source } = context;
  const { ts } = source;
  const signature = insideOf(context, type).signature;
  if (signature === undefined) return context.refused(undefined, noFunction('Parameters'));
  const { declaration, where } = signature;
  const generic = genericRefusal(context, declaration);
  if (generic !== undefined) return generic;
  const list = declaration.parameters.filter(
    (parameter) => !ts.isParameter(parameter) || parameter.name.getText() !== 'this',
  );
  const types = list.map((parameter) => parameterType(context, parameter, where));
  const [first] = list;
  const [only] = types;
  const isRest = first !== undefined && ts.isParameter(first) && first.dotDotDotToken !== undefined;
  if (isRest && only !== undefined) return only;
  return new engine.TupleType(types);
}

function parameterType(
  { engine, chain, checked, source: { checker } }: ParserContext,
  parameter: ts.ParameterDeclaration,
  where: EngineContext,
): EngineType {
  const type =
    parameter.type === undefined
      ? checked.read(checker.getTypeAtLocation(parameter), parameter)
      : chain.createType(parameter.type, where);
  const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
  return isOptional ? new engine.UnionType([type, new engine.UndefinedType()]) : type;
}

function awaited(context: ParserContext, type: EngineType): EngineType {
  const { engine } = context;
  const { promised } = insideOf(context, type);
  if (promised !== undefined) return awaited(context, promised);
  const union = engine.derefType(type);
  if (opaqueFormOf(context, type) !== undefined || !(union instanceof engine.UnionType)) return type;
  const members = union.getTypes();
  const results = members.map((member) => awaited(context, member));
  return results.every((result, index) => result === members[index]) ? type : new engine.UnionType(results);
}

function insideOf(context: ParserContext, type: EngineType): Inside {
  const form = opaqueFormOf(context, type);
  return (form?.kind === 'refused' && 'inside' in form ? form.inside : undefined) ?? {};
}

function genericRefusal(
  context: ParserContext,
  declaration: ts.SignatureDeclaration,
): EngineType | undefined {
  if (declaration.typeParameters === undefined) return undefined;
  const name = declaration.name?.getText() ?? 'the function';
  return context.refused(
    declaration,
    unsupported(
      `\`${name}\` has type parameters of its own: what it takes and returns depends on the call`,
      'declare an interface, and use it for the function too',
    ),
  );
}

const noFunction = (name: string) =>
  unsupported(
    `${name} of something that is not known to be a function`,
    'give it `typeof` a function, or the type of one',
  );

function shortText(node: ts.Node): string {
  const text = node.getText();
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Returns the form of a type whose content the engine does not see. Ignores names and docs around the type. */
function opaqueFormOf(context: ParserContext, type: EngineType): OpaqueForm | undefined {
  return context.formOf(coreOf(context, type));
}

/** Returns a type without the names and docs around it. */
export function coreOf(context: ParserContext, type: EngineType): EngineType {
  const { engine } = context;
  let core = type;
  while (
    (core instanceof engine.AnnotatedType ||
      core instanceof engine.DefinitionType ||
      core instanceof engine.AliasType) &&
    context.formOf(core) === undefined
  )
    core = core.getType();
  return core;
}

/**
 * Returns the members of a union. If the type is not a union, returns a list with only this type. Conditional and mapped types of a type
 * parameter apply to each member separately.
 */
export function membersOf(context: ParserContext, type: EngineType): readonly EngineType[] {
  const { engine } = context;
  const core = coreOf(context, type);
  if (core instanceof engine.UnionType)
    return core.getTypes().flatMap((member) => membersOf(context, member));
  return core instanceof engine.NeverType ? [] : [type];
}

/** Returns the docs around a type, the outermost first. */
export function docsAround(context: ParserContext, type: EngineType): readonly Doc[] {
  const { engine, docs } = context;
  const found: Doc[] = [];
  for (let core = type; context.formOf(core) === undefined; core = core.getType()) {
    if (core instanceof engine.AnnotatedType) {
      const id: unknown = core.getAnnotations()[docAnnotation];
      if (typeof id === 'number') found.push(docs.byId(id));
    } else if (!(core instanceof engine.DefinitionType || core instanceof engine.AliasType)) break;
  }
  return found;
}

/** Returns the docs around a type, around the members of a union and around the items of a list. */
export function docsInside(context: ParserContext, type: EngineType): readonly Doc[] {
  const { engine } = context;
  const core = coreOf(context, type);
  const form = context.formOf(core);
  const parts =
    form?.kind === 'list'
      ? [form.items]
      : form?.kind === 'adjusted'
        ? [form.inner]
        : form?.kind === 'shared'
          ? form.types
          : core instanceof engine.UnionType
            ? core.getTypes()
            : core instanceof engine.ArrayType
              ? [core.getItem()]
              : [];
  return [...docsAround(context, type), ...parts.flatMap((part) => docsInside(context, part))];
}

/** True if a doc has tags that affect a schema. */
export function withTags({ tags }: Doc): boolean {
  return tags.some(({ name }) => isKnownTag(name) && name !== 'allow');
}
