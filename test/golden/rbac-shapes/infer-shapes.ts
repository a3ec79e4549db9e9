import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FindingList, type Finding } from '../../../src/base/errors/index.ts';
import { collectRules } from '../../../src/compiler/manifests/collect-rules.ts';
import type { NeededRule } from '../../../src/compiler/manifests/rbac/needed-rule.ts';
import { sourceFiles } from '../../../src/compiler/manifests/source-files.ts';
import { loadProgram, readDeclarations, type SourceProgram } from '../../../src/compiler/source/index.ts';
import { projectFolder } from '../../unit/compiler/manifests/project-folder.ts';

/** What inference says of a file. */
export interface InferredShape {
  /** `resource[/subresource]:verbs`, sorted, as expect.json has it. */
  readonly rules: string;
  readonly errors: readonly Finding[];
}

interface Inferred {
  readonly rules: readonly NeededRule[];
  readonly warnings: readonly Finding[];
  of(file: string): InferredShape;
}

export interface InferredShapes extends Inferred {
  readonly program: SourceProgram;
  /** What another implementation says of the same program. */
  by(collect: typeof collectRules): Inferred;
  remove(): void;
}

/**
 * Infers the rules of a folder of shapes, all in one program.
 * @param folder with `src`, and packages for node_modules beside it
 */
export function inferFolder(folder: string): InferredShapes {
  const project = projectFolder();
  cpSync(join(folder, 'src'), join(project.dir, 'src'), { recursive: true });
  for (const name of readdirSync(folder))
    if (existsSync(join(folder, name, 'package.json')))
      cpSync(join(folder, name), join(project.dir, 'node_modules', name), { recursive: true });
  return infer(project);
}

/** Infers the rules of files, all in one program. */
export function inferFiles(files: Readonly<Record<string, string>>): InferredShapes {
  return infer(projectFolder(files));
}

function infer(project: ReturnType<typeof projectFolder>): InferredShapes {
  const program = loadProgram({
    projectDir: project.dir,
    rootFiles: sourceFiles(join(project.dir, 'src')),
  });
  const declarations = readDeclarations(program);
  const by = (collect: typeof collectRules): Inferred => {
    const findings = new FindingList();
    findings.add(...program.diagnostics);
    const { rules, warnings } = collect(findings, program, declarations, []);
    return {
      rules,
      warnings,
      of: (file) => ({
        rules: textOf(rules.filter(({ places }) => places.some((place) => place.file === file))),
        errors: findings.all.filter(
          ({ where }) => where !== undefined && 'file' in where && where.file === file,
        ),
      }),
    };
  };
  return { ...by(collectRules), program, by, remove: () => project.remove() };
}

function textOf(rules: readonly NeededRule[]): string {
  const verbs = new Map<string, Set<string>>();
  for (const rule of rules) {
    for (const resource of [...(rule.resources ?? []), ...(rule.nonResourceURLs ?? [])]) {
      const known = verbs.get(resource) ?? new Set<string>();
      for (const verb of rule.verbs) known.add(verb);
      verbs.set(resource, known);
    }
  }
  return [...verbs]
    .map(([resource, all]) => `${resource}:${[...all].sort().join(',')}`)
    .sort()
    .join(' ');
}
