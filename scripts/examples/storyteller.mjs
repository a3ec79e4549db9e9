// Runs `op-sdk dev` of an example, and types what its story says, in a form that is fit for a terminal and for docs/examples.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kubectl } from '../lib/kubectl.mjs';

/** Seconds that a busy machine may take until what a story waits for is there. */
const patience = 300;

/** `op-sdk dev` as a process. */
class Dev {
  #process;
  #output = '';

  constructor(project, flags, env) {
    const program = join(project, 'node_modules', 'opsdk', 'bin', 'op-sdk.js');
    // Nobody asks for metrics here, and other operators of this machine may want the ports.
    const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];
    this.#process = spawn(process.execPath, [program, 'dev', ...flags, ...quiet], {
      ...{ cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] },
      // Ctrl-C is for the story, which ends this in order.
      detached: true,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.#output += text));
    process.once('exit', () => this.#process.kill('SIGKILL'));
  }

  get output() {
    return this.#output;
  }

  get isOver() {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Ends it as Ctrl-C does. @returns {Promise<number | null>} the exit code */
  async stop() {
    if (!this.isOver) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGINT');
      await ended;
    }
    return this.#process.exitCode;
  }
}

/** What a story does: each call types a command and prints its output. */
export class Storyteller {
  #write;
  #dev;
  #env;
  #signal;
  #kubectl;

  constructor({ write, dev, env, signal }) {
    this.#write = write;
    this.#dev = dev;
    this.#env = env;
    this.#signal = signal;
  }

  /** Prints what comes next, as a comment of a shell. */
  say(text) {
    this.#write(`\n# ${text}\n`);
  }

  /**
   * Types a command of kubectl.
   * @param {string} line without the word `kubectl`
   * @param {{ stdin?: string, until?: RegExp }} [options] `until` repeats the command until its output matches
   * @returns {Promise<string>} the output
   */
  async kubectl(line, { stdin, until } = {}) {
    const ask = () => this.#kubectl.run(line, stdin);
    const text = until === undefined ? await ask() : await this.#outputOf(line, ask, until);
    this.#write(`$ kubectl ${line}${stdin === undefined ? '' : ` <<'EOF'\n${stdin.trim()}\nEOF`}\n${text}\n`);
    return text;
  }

  async #outputOf(line, ask, pattern) {
    let text = '';
    await this.until(`kubectl ${line} to match ${pattern}`, async () => {
      text = await ask();
      return pattern.test(text) ? true : text;
    });
    return text;
  }

  /**
   * Types a command for a shell, which must succeed.
   * @returns {Promise<string>} its standard output
   */
  async shell(line) {
    const [code, text] = await this.#spawn(line);
    this.#write(`$ ${line}\n${text}\n`);
    if (code !== 0) throw new Error(`${line}: exit code ${code}\n${text}`);
    return text;
  }

  async #spawn(line) {
    const child = spawn('sh', ['-c', line], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => (text += part));
    const [code] = await once(child, 'close');
    return [code, text.trimEnd()];
  }

  /** @returns {Promise<object | undefined>} an object, for what a story has to know and does not show */
  object(kind, name, namespace) {
    return this.#kubectl.object(kind, name, namespace);
  }

  /** @returns {Promise<readonly object[]>} objects, for what a story has to know and does not show */
  objects(kind, namespace) {
    return this.#kubectl.objects(kind, namespace);
  }

  /**
   * Waits until a question is answered with true.
   * @param {string} what is waited for
   * @param {() => Promise<unknown>} question its last other answer is named in the error
   * @throws Error if it never is, or `op-sdk dev` has ended
   */
  async until(what, question) {
    const deadline = performance.now() + patience * 1000;
    for (;;) {
      this.#signal?.throwIfAborted();
      let answer;
      try {
        answer = await question();
      } catch (error) {
        answer = error.message;
      }
      if (answer === true) return;
      if (this.#dev.isOver) throw new Error(`op-sdk dev has ended, while waiting for ${what}`);
      // What is wrong in the project does not pass.
      const wrong = /^error\[.*$|^.*the operator ended with exit code [1-9].*$/m.exec(this.#dev.output)?.[0];
      if (wrong !== undefined) throw new Error(`op-sdk dev reports ${wrong}`);
      if (performance.now() > deadline) {
        const last = typeof answer === 'string' ? answer : JSON.stringify(answer);
        throw new Error(`expected ${what} within ${patience} s, got ${last}`);
      }
      await sleep(200);
    }
  }

  /** Waits for a line of `op-sdk dev`. @returns {Promise<RegExpExecArray>} */
  async printed(pattern) {
    let found = null;
    await this.until(`${pattern} in the output of op-sdk dev`, () => {
      found = pattern.exec(this.#dev.output);
      return Promise.resolve(found !== null);
    });
    return found;
  }

  /** @returns {Promise<readonly [host: string, port: string]>} the address of a Service that other terminals reach */
  async addressOf(service) {
    const [, address] = await this.printed(new RegExp(`Service \\S*${service}\\S* is at ([\\d.]+:\\d+)`));
    return address.split(':');
  }

  /** Prints the lines with which `op-sdk dev` begins, and connects to its control plane. */
  async begin(flags) {
    this.#write(`$ npx --no op-sdk dev${flags.map((flag) => ` ${flag}`).join('')}\n`);
    const [line, kubeconfig] = await this.printed(/^export KUBECONFIG=(.*)$/m);
    this.#kubectl = new Kubectl(kubeconfig);
    await this.printed(/started the operator/);
    const ready = /^Kubernetes \S+ is ready/m.exec(this.#dev.output)?.[0] ?? '';
    this.#write(`…\n${ready} …\n${line}\n…\n`);
  }
}

/**
 * Tells the story of an example: starts `op-sdk dev` in its project, does what the story says, and ends it.
 *
 * @param {import('./stories.mjs').Story} story
 * @param {object} options
 * @param {string} options.project folder of the project, with opsdk in node_modules
 * @param {(text: string) => void} options.write gets the terminal's text as it comes
 * @param {readonly string[]} [options.programs] folders that come first in the PATH
 * @param {AbortSignal} [options.signal] ends the story
 * @param {() => Promise<unknown>} [options.linger] called after the story, before `op-sdk dev` ends
 * @returns {Promise<readonly string[]>} texts in the command lines of processes that must be gone now
 * @throws Error if something is not as the story says, with the last lines of `op-sdk dev`
 */
export async function tellStory(story, { project, write, programs = [], signal, linger }) {
  const env = { ...process.env, PATH: [...programs, process.env.PATH].join(delimiter), NO_COLOR: '1' };
  const flags = story.devFlags ?? ['--samples'];
  const dev = new Dev(project, flags, env);
  try {
    const teller = new Storyteller({ write, dev, env, signal });
    await teller.begin(flags);
    const processes = (await story.tell(teller)) ?? [];
    await linger?.();
    const code = await dev.stop();
    if (code !== 0) throw new Error(`op-sdk dev ended with exit code ${code}`);
    return processes;
  } catch (error) {
    const last = dev.output.split('\n').slice(-30).join('\n');
    throw new Error(`${error.message}\n\nThe last lines of op-sdk dev:\n${last}`, { cause: error });
  } finally {
    await dev.stop();
  }
}
