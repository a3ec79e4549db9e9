// Versions of op-sdk that differ in their templates, made from the packed package, for tests of upgrades.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { repositoryRoot } from './source-files.ts';

/** A version of op-sdk in a folder of its own. */
export class OpsdkVersion {
  readonly root: string;
  readonly version: string;

  /** @param folder absolute; must not exist yet */
  constructor(folder: string, version: string) {
    const packed = inject('packed');
    if (packed === undefined) throw new Error('versions of op-sdk are made in the e2e rung only');
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', packed.tarball, '--strip-components=1', '-C', folder]);
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    this.root = folder;
    this.version = version;
    this.edit('package.json', (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  }

  /** Changes a file of the package; throws if that changes nothing. */
  edit(path: string, change: (text: string) => string): this {
    const file = join(this.root, path);
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`the edit of ${path} changes nothing`);
    writeFileSync(file, after);
    return this;
  }

  rename(from: string, to: string): this {
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, from), join(this.root, to));
    return this;
  }

  remove(path: string): this {
    rmSync(join(this.root, path));
    return this;
  }

  /** Lets this version run each command of an upgrade's copies once, and remember what it leaves: see killed-steps/remembered.mjs. */
  remembering(): this {
    this.rename('bin/op-sdk.js', 'bin/op-sdk-itself.js');
    cpSync(join(import.meta.dirname, 'killed-steps/remembered.mjs'), join(this.root, 'bin/op-sdk.js'));
    return this;
  }

  /** Installs this version in a project, as a link. */
  installIn(project: string): void {
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    rmSync(join(project, 'node_modules', 'opsdk'), { force: true });
    symlinkSync(this.root, join(project, 'node_modules', 'opsdk'));
  }

  /** Runs a command in a folder. */
  run(
    cwd: string,
    args: readonly string[],
  ): { readonly code: number; readonly stdout: string; readonly stderr: string } {
    const errors = join(this.root, 'stderr.txt');
    const shell = `exec "$0" "$@" 2>${JSON.stringify(errors)}`;
    const command = ['-c', shell, process.execPath, join(this.root, 'bin/op-sdk.js'), ...args];
    try {
      const stdout = execFileSync('sh', command, { cwd, encoding: 'utf8' });
      return { code: 0, stdout, stderr: readFileSync(errors, 'utf8') };
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string };
      return { code: status, stdout, stderr: readFileSync(errors, 'utf8') };
    }
  }

  /** Runs commands that must succeed. */
  done(cwd: string, ...commands: readonly string[]): void {
    for (const each of commands) {
      const { code, stderr } = this.run(cwd, each.split(' '));
      if (code !== 0) throw new Error(`op-sdk ${each}: exit code ${code}\n${stderr}`);
    }
  }
}
