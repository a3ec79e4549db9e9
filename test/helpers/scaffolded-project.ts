import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Finding } from '../../src/base/errors/index.ts';
import { runCli, type CliRun } from './run-cli.ts';
import { treeOf } from './tree.ts';

/** A project that `init` made, for commands that change projects. */
export interface ScaffoldedProject {
  readonly folder: string;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Changes a file; throws if that changes nothing. */
  edit(path: string, change: (text: string) => string): void;
  tree(): Record<string, string>;
  /** Runs a command that must succeed. */
  done(argv: readonly string[]): Promise<CliRun>;
  /** Runs a command that must fail and change nothing. */
  refused(argv: readonly string[], code?: number): Promise<readonly Finding[]>;
}

/** Makes projects in a scratch folder of their own. */
export class ScaffoldedProjects {
  #scratch: string | undefined;
  #template: string | undefined;

  /** A project right after `init`, in the domain example.com. */
  async create(): Promise<ScaffoldedProject> {
    const scratch = (this.#scratch ??= mkdtempSync(join(tmpdir(), 'op-sdk-scaffolded-')));
    if (this.#template === undefined) {
      const template = join(scratch, 'cache-operator');
      mkdirSync(template);
      const argv = ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'];
      expectCode(await runCli(argv, { cwd: template }), 0);
      this.#template = template;
    }
    const folder = mkdtempSync(join(scratch, 'project-'));
    cpSync(this.#template, folder, { recursive: true });
    return projectIn(folder);
  }

  /** Those that are made afterwards are in another folder: test files in one worker share their helpers. */
  remove(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
    this.#scratch = undefined;
    this.#template = undefined;
  }
}

function projectIn(folder: string): ScaffoldedProject {
  const project: ScaffoldedProject = {
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    edit(path, change) {
      const before = project.read(path);
      const after = change(before);
      if (after === before) throw new Error(`the edit of ${path} changes nothing`);
      project.write(path, after);
    },
    tree: () => treeOf(folder),
    async done(argv) {
      const run = await runCli(argv, { cwd: folder });
      expectCode(run, 0);
      return run;
    },
    async refused(argv, code = 1) {
      const before = project.tree();
      const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
      expectCode(run, code);
      if (JSON.stringify(project.tree()) !== JSON.stringify(before))
        throw new Error(`${argv.join(' ')} failed and changed files`);
      return (JSON.parse(run.stdout) as { readonly errors: readonly Finding[] }).errors;
    },
  };
  return project;
}

function expectCode(run: CliRun, code: number): void {
  if (run.code !== code)
    throw new Error(`exit code ${run.code}, expected ${code}\n${run.stdout}${run.stderr}`);
}
