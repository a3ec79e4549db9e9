import { realpathSync } from 'node:fs';
import { schemaModule, type ResourceDeclaration, type SourceProgram } from '../schema/index.ts';
import { isSchemaExport } from '../source/index.ts';
import type { Splice } from './inline-manifests.ts';

/** The schemas of libraries that describe kinds: manifests are made from them, operators run without them. */
export interface LibrarySchemas {
  /** Splices that leave a schema out of its `defineResource`. */
  readonly splices: readonly (Splice & { readonly file: string })[];
  /** The modules of schemas, by their real paths: without a use they do nothing. */
  readonly modules: ReadonlySet<string>;
}

/** Finds the schemas of libraries among the declarations of a project. */
export function librarySchemas(
  program: SourceProgram,
  resources: readonly Pick<ResourceDeclaration, 'root'>[],
): LibrarySchemas {
  const exports = resources.flatMap(({ root }) => (isSchemaExport(root) ? [root] : []));
  const files = exports.flatMap((root) => [...schemaModule(program, root).files.keys()]);
  return {
    splices: exports.map(({ property }) => ({
      file: realpathSync(property.getSourceFile().fileName),
      start: property.getStart(),
      end: property.getEnd(),
      text: 'schema: undefined',
    })),
    modules: new Set(files.map((file) => realpathSync(file))),
  };
}
