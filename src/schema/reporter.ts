import type ts from 'typescript';
import { formatWhere } from '../errors/format.ts';
import type { Finding, Where } from '../errors/index.ts';
import type { SourcePlace } from './evaluated-value.ts';
import { isProjectFile, type SourceProgram } from './load.ts';
import { placeInProject } from './place.ts';
import type { Doc, Problem } from './shape.ts';

/** Turns problems into findings with a place that the user owns, each once. */
export interface Reporter {
  /** @param near the docs on the way from the kind to the problem, the outermost first. */
  error(problem: Problem, near: readonly Doc[]): void;
  warn(problem: Problem, near: readonly Doc[]): void;
  /** A position as findings name it. */
  place(at: { readonly file: ts.SourceFile; readonly position: number }): SourcePlace;
  /** Both sorted by place. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export function createReporter(source: SourceProgram): Reporter {
  const errors = new Map<string, Entry>();
  const warnings = new Map<string, Entry>();
  const add = (entries: Map<string, Entry>, problem: Problem, near: readonly Doc[]): void => {
    const at =
      problem.at !== undefined && isOwned(source, problem.at.file) ? problem.at : nearest(source, near);
    const where: Where | undefined = at && placeInProject(source.projectDir, at.file, at.position);
    const { code, fix } = problem;
    const message = withOtherPlace(source, problem);
    const finding: Finding = { code, message, fix, ...(where === undefined ? {} : { where }) };
    const key = [code, where === undefined ? '' : formatWhere(where), message].join('\n');
    if (!entries.has(key))
      entries.set(key, { finding, file: at?.file.fileName ?? '', position: at?.position ?? 0 });
  };
  return {
    error: (problem, near) => add(errors, problem, near),
    warn: (problem, near) => add(warnings, problem, near),
    place: ({ file, position }) => placeInProject(source.projectDir, file, position),
    get findings() {
      return sorted(errors);
    },
    get warnings() {
      return sorted(warnings);
    },
  };
}

function withOtherPlace(source: SourceProgram, { message, other }: Problem): string {
  if (other === undefined) return message;
  return `${message}; the other one is at ${formatWhere(placeInProject(source.projectDir, other.file, other.position))}`;
}

interface Entry {
  readonly finding: Finding;
  readonly file: string;
  readonly position: number;
}

function sorted(entries: ReadonlyMap<string, Entry>): Finding[] {
  const byPlace = (a: Entry, b: Entry): number =>
    a.file === b.file ? a.position - b.position : a.file < b.file ? -1 : 1;
  return [...entries.values()].sort(byPlace).map((entry) => entry.finding);
}

function isOwned(source: SourceProgram, file: ts.SourceFile): boolean {
  return isProjectFile(source.program, file);
}

function nearest(
  source: SourceProgram,
  near: readonly Doc[],
): { file: ts.SourceFile; position: number } | undefined {
  const doc = near.findLast((item) => isOwned(source, item.node.getSourceFile()));
  if (doc === undefined) return undefined;
  const name = (doc.node as { name?: ts.Node }).name ?? doc.node;
  return { file: doc.node.getSourceFile(), position: name.getStart() };
}
