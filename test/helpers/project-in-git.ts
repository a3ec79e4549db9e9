import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files of a project in a repository of git. */
export class ProjectInGit {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Replaces a text that the file must have. */
  edit(path: string, from: string, to: string): void {
    const before = this.read(path);
    if (!before.includes(from)) throw new Error(`${path} does not contain ${from}`);
    this.write(
      path,
      before.replace(from, () => to),
    );
  }

  /** Runs the git of this process: commands under test may have none. */
  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Jo', '-c', 'user.email=jo@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, encoding: 'utf8' });
  }

  /** Returns the lines of the short status, sorted. */
  status(): string[] {
    return this.git('status', '--porcelain', '-uall').split('\n').filter(Boolean).sort();
  }

  commit(subject: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', subject);
  }
}
