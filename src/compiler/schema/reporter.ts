import type ts from 'typescript';
import { formatWhere, type Finding, type Where } from '../../base/errors/index.ts';
import { isProjectFile, placeInProject, type SourcePlace, type SourceProgram } from '../source/index.ts';
import type { Doc, Problem } from './shape.ts';
import { allowsOf, unusedAllow, type Allow } from './tags/cel.ts';

/** Converts problems to findings, and moves each finding to a place in the user's own files. Reports each finding only once. */
export interface Reporter {
  /** @param docTrail docs on the path from the kind to the part that has the problem, the outermost first */
  error(problem: Problem, docTrail: readonly Doc[]): void;
  /** Reports a warning, unless a doc in `docTrail` allows the warning with `@allow`. */
  warn(problem: Problem, docTrail: readonly Doc[]): void;
  /** Records the `@allow` tags of a doc, so that `warn` omits the allowed warnings. */
  visit(doc: Doc): void;
  /** Converts a position in a file to a place with file, line and column. */
  place(at: { readonly file: ts.SourceFile; readonly position: number }): SourcePlace;
  /**
   * Returns the place of `at` if the user owns its file. Otherwise returns the place of the innermost doc in `docTrail` whose file the user
   * owns.
   */
  nearest(at: Problem['at'], docTrail: readonly Doc[]): SourcePlace | undefined;
  /** Errors in the schema. The errors and the warnings are each sorted by place. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The `@allow` tags that have been used and not used so far. */
  readonly allows: TagUse;
}

/**
 * Use of tags such as `@allow` by one kind. Each list contains the warning that a tag is unused: `used` for the tags that the kind uses,
 * `unused` for the others. A tag of a shared type is reported only if no kind uses it.
 */
export interface TagUse {
  readonly used: readonly Finding[];
  readonly unused: readonly Finding[];
}

export function createSchemaReporter(source: SourceProgram): Reporter {
  const errors = new Map<string, Entry>();
  const warnings = new Map<string, Entry>();
  const allows = new Map<Doc, readonly Allow[]>();
  const used = new Set<Allow>();
  const isAllowed = (code: string, docTrail: readonly Doc[]): boolean => {
    const allowing = docTrail.flatMap((doc) => allows.get(doc) ?? []).filter((allow) => allow.code === code);
    for (const allow of allowing) used.add(allow);
    return allowing.length > 0;
  };
  const add = (entries: Map<string, Entry>, problem: Problem, docTrail: readonly Doc[]): void => {
    const at = ownedAt(source, problem.at, docTrail);
    const where: Where | undefined = at && placeInProject(source.projectDir, at.file, at.position);
    const { code, fix } = problem;
    const message = withOtherPlace(source, problem);
    const finding: Finding = { code, message, fix, ...(where === undefined ? {} : { where }) };
    const key = [code, where === undefined ? '' : formatWhere(where), message].join('\n');
    if (!entries.has(key))
      entries.set(key, { finding, file: at?.file.fileName ?? '', position: at?.position ?? 0 });
  };
  return {
    error: (problem, docTrail) => add(errors, problem, docTrail),
    warn(problem, docTrail) {
      if (!isAllowed(problem.code, docTrail)) add(warnings, problem, docTrail);
    },
    visit(doc) {
      if (allows.has(doc)) return;
      const read = allowsOf(doc);
      allows.set(doc, read.allows);
      for (const problem of read.problems) add(errors, problem, [doc]);
    },
    place: ({ file, position }) => placeInProject(source.projectDir, file, position),
    nearest(at, docTrail) {
      const owned = ownedAt(source, at, docTrail);
      return owned && placeInProject(source.projectDir, owned.file, owned.position);
    },
    get findings() {
      return sorted(errors);
    },
    get warnings() {
      return sorted(warnings);
    },
    get allows() {
      const entries = { used: new Map<string, Entry>(), unused: new Map<string, Entry>() };
      for (const allow of [...allows.values()].flat())
        add(used.has(allow) ? entries.used : entries.unused, unusedAllow(allow), []);
      return { used: sorted(entries.used), unused: sorted(entries.unused) };
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

function ownedAt(
  source: SourceProgram,
  at: Problem['at'],
  docTrail: readonly Doc[],
): { readonly file: ts.SourceFile; readonly position: number } | undefined {
  if (at !== undefined && isOwned(source, at.file)) return at;
  const doc = docTrail.findLast((item) => isOwned(source, item.node.getSourceFile()));
  if (doc === undefined) return undefined;
  const name = (doc.node as { name?: ts.Node }).name ?? doc.node;
  return { file: doc.node.getSourceFile(), position: name.getStart() };
}
