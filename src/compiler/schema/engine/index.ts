import type ts from 'typescript';
import {
  isProjectFile,
  loadSchemaEngine,
  type SchemaEngine,
  type SourceProgram,
} from '../../source/index.ts';
import { createDocReader } from '../comments/doc-comments.ts';
import type { Shape } from '../shape.ts';
import { CheckedTypeReader } from './checked-types.ts';
import { conditionalParser } from './conditional-types.ts';
import { declarationParsers } from './declarations.ts';
import { functionParsers } from './functions.ts';
import { operatorParsers } from './operators.ts';
import { ownTypeParser } from './own-types.ts';
import { ShapeReader } from './shapes.ts';
import { typeReferenceParser, typeQueryParsers } from './type-references.ts';
import {
  docAnnotation,
  type CheckedTypes,
  type EngineType,
  type OpaqueForm,
  type ParserContext,
} from './types.ts';

/** Converts the declaration of a kind to its shape. */
interface Reader {
  resource(node: ts.InterfaceDeclaration): { readonly shape: Shape; readonly isResource: boolean };
}

const readers = { short: new WeakMap<SourceProgram, Reader>(), full: new WeakMap<SourceProgram, Reader>() };

/**
 * Returns the reader of a program. All kinds share one reader, so that each parsed type is cached for all of them.
 * @param embeddedDescriptions true if built-in Kubernetes types keep their descriptions
 */
export function readerOf(source: SourceProgram, embeddedDescriptions = false): Reader {
  const known = readers[embeddedDescriptions ? 'full' : 'short'];
  const reader = known.get(source) ?? createReader(source, loadSchemaEngine(), embeddedDescriptions);
  known.set(source, reader);
  return reader;
}

function createReader(source: SourceProgram, engine: SchemaEngine, embeddedDescriptions: boolean): Reader {
  const opaque = new Map<EngineType, OpaqueForm>();
  const config = { ...engine.DEFAULT_CONFIG, expose: 'none', jsDoc: 'none', topRef: false } as const;
  const counts = { mappedFields: 0 };
  let shapes: ShapeReader | undefined;
  const parser = engine.createParser(source.program, config, (chain) => {
    const context = createContext(
      source,
      engine,
      chain as ParserContext['chain'],
      opaque,
      counts,
      embeddedDescriptions,
    );
    shapes = new ShapeReader(context, opaque);
    const own = [
      ownTypeParser(context),
      typeReferenceParser(context),
      ...functionParsers(context),
      ...typeQueryParsers(context),
      conditionalParser(context),
      ...operatorParsers(context),
      ...declarationParsers(context),
    ];
    for (const item of own) chain.addNodeParser(item);
  });
  return {
    resource(node) {
      counts.mappedFields = 0;
      if (shapes === undefined) throw new TypeError('the engine did not call for our parsers');
      return shapes.resource(parser.createType(node, new engine.Context()));
    },
  };
}

function createContext(
  source: SourceProgram,
  engine: SchemaEngine,
  chain: ParserContext['chain'],
  forms: Map<EngineType, OpaqueForm>,
  counts: ParserContext['counts'],
  embeddedDescriptions: boolean,
): ParserContext {
  const docs = createDocReader(source);
  let refusals = 0;
  let checked: CheckedTypes | undefined;
  const opaque: ParserContext['opaque'] = (id, form, inner = new engine.AnyType()) => {
    const isLazy = typeof inner === 'function';
    const alias = new engine.AliasType(`opsdk-${id}`, isLazy ? new engine.AnyType() : inner);
    if (isLazy) alias.getType = inner;
    const type = new engine.DefinitionType(id, alias);
    forms.set(type, form);
    return type;
  };
  const context: ParserContext = {
    source,
    engine,
    chain,
    docs,
    embeddedDescriptions,
    counts,
    opaque,
    get checked() {
      return (checked ??= new CheckedTypeReader(context));
    },
    formOf: (type) => forms.get(type),
    refused(node, problem, escapable = true, inside = {}) {
      const file = node?.getSourceFile();
      const own = node !== undefined && file !== undefined && isProjectFile(source.program, file);
      const at = own ? { at: { file, position: node.getStart() } } : {};
      refusals += 1;
      const form = { kind: 'refused', problem: { ...problem, ...at }, escapable, inside } as const;
      return opaque(`refused-${refusals}`, form, inside.seen);
    },
    annotated(node, type) {
      const file = node.getSourceFile();
      // Comments in the standard library, such as those on Partial or Record, do not describe an API and are left out.
      if (source.program.isSourceFileDefaultLibrary(file)) return type;
      return new engine.AnnotatedType(type, { [docAnnotation]: docs.of(node).id }, false);
    },
  };
  return context;
}
