import type ts from 'typescript';
import { createAssignability, type Inferred } from './assignability.ts';
import { tagsTakenApart, unsupported } from './refusals.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';
import { coreOf, docsAround, withTags } from './unwrapped.ts';

/**
 * Conditional types: `T extends U ? X : Y`. The engine compares types without their names and docs, and loses those of what `infer` gives
 * back; where it would have to, this one does.
 */
export function conditionalParser(context: ParserContext): EngineParser {
  const { ts, checker } = context.source;
  const engineParser = new context.engine.ConditionalTypeNodeParser(checker, context.chain);
  const { matches, isUnderstood } = createAssignability(context);

  function createType(node: ts.ConditionalTypeNode, engineContext: EngineContext): EngineType {
    if (!isUnderstood(node.extendsType)) return engineParser.createType(node, engineContext);
    const checked = context.chain.createType(node.checkType, engineContext);
    const parameter = typeParameterName(node.checkType);
    const members = parameter === undefined ? [checked] : membersOf(context, checked);
    const results = members.map((member) => branchOf(node, engineContext, parameter, member));
    if (results.every((result, index) => result === members[index])) return checked;
    const known = results.filter((result) => !(result instanceof context.engine.NeverType));
    const [only] = known;
    if (members.length > 1 || known.some((result) => isRebuiltList(checked, result))) {
      const lost = docsAround(context, checked).find((doc) => doc.kind === 'declaration' && withTags(doc));
      if (lost !== undefined) return context.refused(undefined, tagsTakenApart(lost.label));
    }
    if (only === undefined) return new context.engine.NeverType();
    return known.length === 1 ? only : new context.engine.UnionType(known);
  }

  /** A list of other items: what is said of the former list would be lost. */
  function isRebuiltList(former: EngineType, result: EngineType): boolean {
    const [one, other] = [former, result].map((type) => coreOf(context, type));
    return one !== other && [one, other].every((type) => type instanceof context.engine.ArrayType);
  }

  function branchOf(
    node: ts.ConditionalTypeNode,
    engineContext: EngineContext,
    parameter: string | undefined,
    member: EngineType,
  ): EngineType {
    const inferred: Inferred = new Map();
    const verdict = matches(member, node.extendsType, engineContext, inferred);
    if (verdict === undefined) return context.refused(undefined, undecided(node.extendsType.getText()));
    const inner = new context.engine.Context(node);
    const push = (name: string, type: EngineType): void => {
      inner.pushParameter(name);
      inner.pushArgument(type);
    };
    const taken = verdict ? inferred : new Map<string, EngineType>();
    for (const [name, type] of taken) push(name, type);
    if (parameter !== undefined && !taken.has(parameter)) push(parameter, member);
    for (const name of engineContext.getParameters())
      if (name !== parameter && !taken.has(name)) push(name, engineContext.getArgument(name));
    return context.chain.createType(verdict ? node.trueType : node.falseType, inner);
  }

  function typeParameterName(node: ts.TypeNode): string | undefined {
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const symbol = checker.getSymbolAtLocation(node.typeName);
    return symbol !== undefined && symbol.flags & ts.SymbolFlags.TypeParameter ? symbol.name : undefined;
  }

  return {
    supportsNode: (node) => ts.isConditionalTypeNode(node),
    createType: (node, engineContext) => createType(node as ts.ConditionalTypeNode, engineContext),
  };
}

/** What a conditional type of a type parameter is made of one by one. */
function membersOf(context: ParserContext, type: EngineType): readonly EngineType[] {
  const { engine } = context;
  const core = coreOf(context, type);
  if (core instanceof engine.UnionType)
    return core.getTypes().flatMap((member) => membersOf(context, member));
  return core instanceof engine.NeverType ? [] : [type];
}

const undecided = (text: string) =>
  unsupported(
    `whether the type extends \`${text}\` cannot be said without losing what names and tags say`,
    'write the type out as an interface',
  );
