import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files by path, with the folder that is meant. */
export interface Tree {
  readonly files: Readonly<Record<string, string>>;
  /** Default: the root. */
  readonly folder?: string;
}

export type Rendered = { readonly objects: readonly unknown[] } | { readonly error: string };
export type Edited = { readonly files: Readonly<Record<string, string>> } | { readonly error: string };

/** The real kustomize in a Go program. */
export interface KustomizeOracle {
  /** What `kustomize build` makes of each tree. */
  render(trees: readonly Tree[]): readonly Rendered[];
  /** What `kustomize edit` makes of each tree, called with these arguments in its root. */
  edit(
    calls: readonly { readonly files: Tree['files']; readonly edit: readonly string[] }[],
  ): readonly Edited[];
  close(): void;
}

/** The Go command; GO names another than the one on the PATH. */
const go = process.env.GO ?? 'go';

/** Builds the program, or says why it cannot be had. */
export function buildKustomizeOracle(): KustomizeOracle | { readonly missing: string } {
  if (spawnSync(go, ['version']).status !== 0) return { missing: 'no go on the PATH' };
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-kustomize-oracle-'));
  const program = join(folder, 'oracle');
  const build = spawnSync(go, ['build', '-o', program, '.'], { cwd: import.meta.dirname, encoding: 'utf8' });
  if (build.status !== 0) {
    rmSync(folder, { recursive: true });
    return { missing: `go build: ${build.stderr}` };
  }
  const ask = (questions: readonly unknown[]): unknown[] => {
    if (questions.length === 0) return [];
    const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
    const output = execFileSync(program, {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      // Deprecation warnings are not of interest.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };
  return {
    render: (trees) => ask(trees.map(({ files, folder = '' }) => ({ files, folder }))) as Rendered[],
    edit: (calls) => ask(calls) as Edited[],
    close: () => rmSync(folder, { recursive: true }),
  };
}
