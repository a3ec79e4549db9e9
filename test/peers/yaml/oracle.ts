import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** sigs.k8s.io/yaml in a Go program: what Kubernetes' own tools would write. */
export interface YamlOracle {
  /** The YAML of each value; undefined where the original refuses the value. */
  write(values: readonly unknown[]): (string | undefined)[];
  /** What each text, of one document, says; undefined where the original refuses the text. */
  read(texts: readonly string[]): ({ readonly value: unknown } | undefined)[];
  close(): void;
}

/** The Go command; GO names another than the one on the PATH. */
const go = process.env.GO ?? 'go';

/** Builds the program, or says why it cannot be had. */
export function buildYamlOracle(): YamlOracle | { readonly missing: string } {
  if (spawnSync(go, ['version']).status !== 0) return { missing: 'no go on the PATH' };
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-yaml-oracle-'));
  const program = join(folder, 'oracle');
  const build = spawnSync(go, ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  if (build.status !== 0) {
    rmSync(folder, { recursive: true });
    return { missing: `go build: ${build.stderr}` };
  }
  const run = (args: readonly string[], values: readonly unknown[]): Answer[] => {
    const input = values.map((value) => `${asciiJson(value)}\n`).join('');
    const output = execFileSync(program, args, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
  };
  return {
    write: (values) => run([], values).map(({ yaml }) => yaml),
    read: (texts) =>
      run(['read'], texts).map(({ json, error }) =>
        error === undefined ? { value: json ?? null } : undefined,
      ),
    close: () => rmSync(folder, { recursive: true }),
  };
}

interface Answer {
  readonly yaml?: string;
  readonly json?: unknown;
  readonly error?: string;
}

/** JSON with escapes: the original reads JSON as YAML, which would fold NEL and its like and refuse DEL, before it writes anything. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\ud7ff\ue000-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
