import type { Doc } from '../shape.ts';
import { docAnnotation, type EngineType, type OpaqueForm, type ParserContext } from './types.ts';

/** The form of a type that the engine knows nothing of, looked for behind names and docs. */
export function opaqueFormOf(context: ParserContext, type: EngineType): OpaqueForm | undefined {
  return context.formOf(coreOf(context, type));
}

/** A type without names and docs around it. */
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

/** The docs around a type, the outermost first. */
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
