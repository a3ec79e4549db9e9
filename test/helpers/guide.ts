// The guides are programs: their code blocks are read here, and run by test/e2e/docs-commands.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * What the fence of a block of commands may say behind `sh`; people who read the rendered page do not see it.
 * - `fails`: the commands show a refusal, and must not succeed.
 * - `runs`: the command runs until Ctrl-C. It is stopped once it has printed what the guide shows.
 * - `setup`: the two commands for the clone. Not run: they are how all tests are run.
 * - `elsewhere`: for the clone, or for another terminal. Not run.
 * - `container-tool`: needs a docker or podman that builds images. Not run.
 */
export type BlockMark = 'fails' | 'runs' | 'setup' | 'elsewhere' | 'container-tool';

const marks: readonly string[] = [
  'fails',
  'runs',
  'setup',
  'elsewhere',
  'container-tool',
] satisfies BlockMark[];

/** Commands that a reader types, one after the other. */
export interface CommandBlock {
  readonly kind: 'commands';
  /** Where it stands, from 1. */
  readonly line: number;
  readonly mark: BlockMark | undefined;
  readonly script: string;
  /** What the page shows of their output: the `text` block that follows. */
  readonly shown: string | undefined;
}

/** A file that a reader writes: a block whose fence says its path behind the language. */
export interface FileBlock {
  readonly kind: 'file';
  readonly line: number;
  readonly path: string;
  readonly content: string;
}

export type GuideStep = CommandBlock | FileBlock;

/**
 * The steps of a page, in its order. Blocks of other languages without a path are for the eye.
 * @throws for a mark that is not known, and for a `text` block that does not follow commands
 */
export function readGuide(markdown: string): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  for (const match of markdown.matchAll(/^```(\S*)[ ]?(.*)\n([\s\S]*?)^```$/gm)) {
    const [, language = '', info = '', content = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    if (language === 'sh') {
      if (info !== '' && !marks.includes(info)) throw new Error(`line ${line}: no mark ${info}`);
      const mark = info === '' ? undefined : (info as BlockMark);
      steps.push({ kind: 'commands', line, mark, script: content, shown: undefined });
    } else if (language === 'text') {
      const last = steps.at(-1);
      if (last?.kind !== 'commands' || last.shown !== undefined)
        throw new Error(`line ${line}: no command has printed this`);
      steps[steps.length - 1] = { ...last, shown: content };
    } else if (info !== '') {
      steps.push({ kind: 'file', line, path: info, content });
    }
  }
  return steps;
}

/** The first command, as the name of a step. */
export function titleOf({ script }: CommandBlock): string {
  const command = script.split('\n').find((line) => !/^\s*(?:#|$)/.test(line)) ?? '';
  return command.replace(/\s+#.*$/, '').trim();
}

/** The programs that a script calls, without those that every machine with a shell has. */
export function toolsOf(script: string): readonly string[] {
  const commands = script.replace(/\\\n\s*/g, ' ').split(/\n|\||&&|;/);
  const words = commands.map((command) => /^[\s(]*([\w.-]+)(?![\w=])/.exec(command)?.[1] ?? '');
  return [...new Set(words.filter((word) => notEverywhere.has(word)))];
}

const notEverywhere = new Set([
  'make',
  'kubectl',
  'kustomize',
  'docker',
  'podman',
  'buildah',
  'skopeo',
  'git',
]);

/** Whether a program is on a PATH. */
export function isInstalled(tool: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Compares what a page shows with what was printed: `…` stands for anything, on a line of its own for any number of lines. */
export function isShown(shown: string, output: string): boolean {
  const lines = shown.replace(/\n$/, '').split('\n');
  const pattern = lines
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escapeRegExp).join('.*')}[ ]*\\n`,
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(output.endsWith('\n') || output === '' ? output : `${output}\n`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** How a script ended. */
export interface Ending {
  readonly code: number | null;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ctrl-C, once what was printed so far satisfies this. */
  readonly until?: (output: string) => boolean;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Runs a script in a shell, in a process group of its own, as a terminal would. */
export async function runScript(
  script: string,
  { cwd, env, until, timeout = 60_000 }: RunOptions,
): Promise<Ending> {
  // One pipe for both streams, so that lines stay in their order.
  const child = spawn('sh', ['-ec', `exec 2>&1\n${script}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  };
  let output = '';
  let stopped = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if (stopped || until?.(output) !== true) return;
    stopped = true;
    signalGroup('SIGINT');
  });
  const timer = setTimeout(() => signalGroup('SIGKILL'), timeout);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output };
}
