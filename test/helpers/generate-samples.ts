import { resolve } from 'node:path';
import type { Finding } from '../../src/base/errors/index.ts';
import { generateSchema, loadProgram, type GeneratedSchema } from '../../src/compiler/schema/index.ts';

/** What became of a source. */
export interface GeneratedSample {
  readonly source: string;
  /** Undefined if the source has a syntax error. */
  readonly generated: GeneratedSchema | undefined;
  /** All that keeps it from being a schema. */
  readonly findings: readonly Finding[];
}

/** The schemas of `interface Sample` of each source, in one program, as in a project. */
export function generateSamples(sources: readonly string[]): GeneratedSample[] {
  const projectDir = import.meta.dirname;
  const files = sources.map((_, index) => `sample-${index}.ts`);
  const texts = new Map(files.map((file, index) => [file, sources[index] ?? '']));
  const program = loadProgram({ projectDir, rootFiles: files, texts });
  return sources.map((source, index) => {
    const name = files[index] ?? '';
    const syntax = program.diagnostics.filter(
      ({ where }) => where !== undefined && 'file' in where && where.file === name,
    );
    if (syntax.length > 0) return { source, generated: undefined, findings: syntax };
    const { ts } = program;
    const file = program.program.getSourceFile(resolve(projectDir, name));
    const sample = file?.statements.find(
      (item) => ts.isInterfaceDeclaration(item) && item.name.text === 'Sample',
    );
    if (sample === undefined || !ts.isInterfaceDeclaration(sample))
      throw new Error(`no interface Sample in:\n${source}`);
    try {
      const generated = generateSchema(program, sample);
      return { source, generated, findings: generated.findings };
    } catch (error) {
      throw new Error(`an exception from:\n${source}`, { cause: error });
    }
  });
}
