import type ts from 'typescript';
import { createAssignability, type Inferred } from './assignability.ts';
import { boundContext, typeParameterName } from './bound-context.ts';
import { tagsTakenApart, unsupported } from './refusals.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';
import { coreOf, docsAround, membersOf, withTags } from './unwrapped.ts';

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
    const parameter = typeParameterName(context, node.checkType);
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
    const bound = new Map(verdict ? inferred : []);
    if (parameter !== undefined && !bound.has(parameter)) bound.set(parameter, member);
    const inner = boundContext(context, node, engineContext, bound);
    return context.chain.createType(verdict ? node.trueType : node.falseType, inner);
  }

  return {
    supportsNode: (node) => ts.isConditionalTypeNode(node),
    createType: (node, engineContext) => createType(node as ts.ConditionalTypeNode, engineContext),
  };
}

const undecided = (text: string) =>
  unsupported(
    `whether the type extends \`${text}\` cannot be said without losing what names and tags say`,
    'write the type out as an interface',
  );
