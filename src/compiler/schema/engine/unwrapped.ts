import type { Doc } from '../shape.ts';
import { isKnownTag } from '../tags/tag-names.ts';
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

/** The members of a union, or the type: conditional and mapped types of a type parameter are made of them one by one. */
export function membersOf(context: ParserContext, type: EngineType): readonly EngineType[] {
  const { engine } = context;
  const core = coreOf(context, type);
  if (core instanceof engine.UnionType)
    return core.getTypes().flatMap((member) => membersOf(context, member));
  return core instanceof engine.NeverType ? [] : [type];
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

/** The docs around a type, the members of a union and the items of a list. */
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

/** True if a doc says something to a schema. */
export function withTags({ tags }: Doc): boolean {
  return tags.some(({ name }) => isKnownTag(name) && name !== 'allow');
}
