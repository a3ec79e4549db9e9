import type ts from 'typescript';
import { sequences, templateText, type TemplatePart, type TemplateText } from '../template-pattern.ts';
import { unsupported } from './refusals.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';

/** More combinations than this are a mistake, and would make a pattern that nobody can read. */
const most = 200;

/** Template literal types: an enumeration if all their parts are literals, otherwise a string with a pattern. */
export function templateParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  return {
    supportsNode: (node) => ts.isTemplateLiteralTypeNode(node),
    createType: (node, engineContext) => {
      const template = node as ts.TemplateLiteralTypeNode;
      const lists = template.templateSpans.map((span) => spanParts(context, span, engineContext));
      if (lists.some((parts) => parts === undefined)) return context.refused(node, notAText(node.getText()));
      const known = lists.flatMap((parts) => (parts === undefined ? [] : [parts]));
      if (known.reduce((count, parts) => count * parts.length, 1) > most)
        return context.refused(node, tooMany(node.getText()));
      const texts = sequences([[[{ text: template.head.text }]], ...known]).map(templateText);
      return typeOf(context, texts);
    },
  };
}

function typeOf(context: ParserContext, texts: readonly TemplateText[]): EngineType {
  const { engine } = context;
  const literals = texts.flatMap(({ literal }) => (literal === undefined ? [] : [literal]));
  if (literals.length < texts.length) {
    const id = `template-${texts.map(({ pattern }) => pattern).join('|')}`;
    return context.opaque(id, { kind: 'string', texts }, new engine.StringType());
  }
  const types = literals.map((literal) => new engine.LiteralType(literal));
  const [only] = types;
  return only !== undefined && types.length === 1 ? only : new engine.UnionType(types);
}

/** Parts for `${…}` and the text behind it; undefined if they cannot be known. */
function spanParts(
  context: ParserContext,
  span: ts.TemplateLiteralTypeSpan,
  engineContext: EngineContext,
): TemplatePart[][] | undefined {
  const { ts } = context.source;
  const isBigInt = span.type.kind === ts.SyntaxKind.BigIntKeyword;
  const choices: TemplatePart[][] | undefined = isBigInt
    ? [[{ any: 'bigint' }]]
    : partsOf(context, context.chain.createType(span.type, engineContext));
  return choices?.map((parts) => [...parts, { text: span.literal.text }]);
}

function partsOf(context: ParserContext, type: EngineType): TemplatePart[][] | undefined {
  const { engine } = context;
  const form = context.formOf(type);
  // A template in a template. Its pattern is made of the same parts.
  if (form?.kind === 'string' && form.texts !== undefined) return form.texts.map(({ parts }) => [...parts]);
  if (form?.kind === 'refused') return undefined;
  if (
    type instanceof engine.AnnotatedType ||
    type instanceof engine.DefinitionType ||
    type instanceof engine.AliasType
  )
    return partsOf(context, type.getType());
  if (type instanceof engine.UnionType) {
    const members = type.getTypes().map((member) => partsOf(context, member));
    return members.includes(undefined) ? undefined : members.flatMap((parts) => parts ?? []);
  }
  const text = (value: unknown): TemplatePart[] => [{ text: String(value) }];
  if (type instanceof engine.LiteralType) return [text(type.getValue())];
  if (type instanceof engine.EnumType) return type.getValues().map(text);
  if (type instanceof engine.BooleanType) return [text(true), text(false)];
  if (type instanceof engine.NullType) return [text(null)];
  if (type instanceof engine.UndefinedType) return [text(undefined)];
  if (type instanceof engine.StringType) return [[{ any: 'string' }]];
  return type instanceof engine.NumberType ? [[{ any: 'number' }]] : undefined;
}

const notAText = (template: string) =>
  unsupported(
    `the template literal ${template} contains something other than plain text or numbers`,
    'use string with a `@pattern`',
  );

const tooMany = (template: string) =>
  unsupported(
    `the template literal ${template} has more than ${most} combinations`,
    'use string with a `@pattern`',
  );
