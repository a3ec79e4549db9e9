// Runs scripts in QuickJS compiled to WebAssembly: the language and nothing else. No function and no object of this process is handed in, so
// there is none to climb out by; all that a script has lies in one memory, whose size has a maximum. This process itself has no files, no
// environment and no further processes. Started with --eval, so that it needs no file: reads a request from stdin, the engine included, and
// writes a line of JSON for each script, in their order. See run-modules.ts.
import { createRequire } from 'node:module';

let input = '';
for await (const part of process.stdin.setEncoding('utf8')) input += part;
const { engine, prelude, scripts, libraries, entries, milliseconds, wholeMilliseconds, megabytes } =
  JSON.parse(input);
const started = Date.now();

// Dates are made by this process: the same everywhere.
process.env.TZ = 'UTC';

const builtin = createRequire('file:///');
/** A module of the engine, from its text. */
const load = (text, packages = {}) => {
  const module = { exports: {} };
  const require = (name) => packages[name] ?? builtin(name);
  const run = new Function('module', 'exports', 'require', '__filename', '__dirname', text);
  run(module, module.exports, require, '/engine.cjs', '/');
  return module.exports;
};
const { newQuickJSWASMModuleFromVariant, newVariant } = load(engine.core, {
  '@jitl/quickjs-ffi-types': load(engine.types),
});
const { QuickJSFFI } = load(engine.ffi);
const wasmModule = await WebAssembly.compile(Buffer.from(engine.wasm, 'base64'));
const variant = {
  type: 'sync',
  importFFI: async () => QuickJSFFI,
  importModuleLoader: async () => load(engine.emscripten),
};

const pagesOf = (megabytesOfPages) => megabytesOfPages * 16;
/** Bytes of the stack that a recursion may take: less than WebAssembly's own, which ends it less gently. */
const stackBytes = 256 * 1024;
/** The part of the memory that holds no objects of scripts. */
const engineMegabytes = 4;
/** Milliseconds after which a script that goes on when it is interrupted ends the process, which ends by itself with this status. */
const patience = 2000;
const interruptedStatus = 124;
/** Longer texts are no schema. */
const longestText = 16 * 2 ** 20;

class Machine {
  static async create() {
    const memory = new WebAssembly.Memory({ initial: pagesOf(16), maximum: pagesOf(megabytes) });
    const quickJs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmModule, wasmMemory: memory }),
    );
    return new Machine(quickJs, memory);
  }

  constructor(quickJs, memory) {
    this.memory = memory;
    this.runtime = quickJs.newRuntime();
    this.runtime.setMemoryLimit((megabytes - engineMegabytes) * 2 ** 20);
    this.runtime.setMaxStackSize(stackBytes);
    this.runtime.setInterruptHandler(() => {
      const late = Date.now() - this.deadline;
      // Without memory for it, the error of an interrupt is one that a script can catch.
      if (late > patience) process.exit(interruptedStatus);
      this.interrupted ||= late > 0;
      return this.interrupted;
    });
    this.runtime.setModuleLoader(
      (name) =>
        Object.hasOwn(scripts, name) ? scripts[name] : { error: new Error(`unknown module ${name}`) },
      (_base, name) => (name.startsWith('./') ? name.slice(2) : name),
    );
    this.context = this.runtime.newContext();
    this.allow();
    const failed = this.evaluate('prelude', prelude, 'global').failed ?? this.loadLibraries();
    this.failed = failed;
    this.start = new Uint8Array(memory.buffer).slice();
  }

  loadLibraries() {
    const text = libraries.map((name) => `import ${JSON.stringify(`./${name}`)};`).join('\n');
    return this.evaluate('libraries', text, 'module').failed;
  }

  allow(time = milliseconds) {
    this.interrupted = false;
    this.deadline = Math.min(Date.now() + time, started + wholeMilliseconds);
  }

  /** As everything was after the libraries were loaded: no script finds what another one did. */
  reset() {
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(this.start);
    bytes.fill(0, this.start.length);
  }

  run(name) {
    if (this.failed !== undefined) return { failed: this.failed };
    this.reset();
    this.allow();
    return this.evaluate(name, scripts[name], 'module');
  }

  evaluate(name, text, type) {
    const { context } = this;
    const { value, error } = context.evalCode(text, name, { type });
    const handle = value ?? error;
    try {
      if (error !== undefined) return { failed: this.interrupted ? 'interrupted' : this.thrown(error) };
      if (type === 'global') return {};
      const description = context.getProp(value, 'description');
      try {
        if (context.typeof(description) !== 'string') return {};
        const length = context.getProp(description, 'length').consume((each) => context.getNumber(each));
        return length > longestText
          ? { failed: 'too long' }
          : { description: context.getString(description) };
      } finally {
        description.dispose();
      }
    } finally {
      handle.dispose();
    }
  }

  /** The name and the message of an error; getters of it are code like any other. */
  thrown(error) {
    this.allow(1000);
    const [name, message] = ['name', 'message'].map((field) => this.text(error, field));
    if (name === undefined || message === undefined) {
      const kind = this.context.typeof(error);
      // QuickJS throws null where it has no memory left for an error.
      return kind === 'object' ? 'out of memory' : `it throws a ${kind}`;
    }
    return name === 'InternalError' && message === 'out of memory' ? message : `${name}: ${message}`;
  }

  text(object, field) {
    const { context } = this;
    if (!['object', 'function'].includes(context.typeof(object))) return undefined;
    return context.getProp(object, field).consume((value) => {
      if (context.typeof(value) !== 'string') return undefined;
      const length = context.getProp(value, 'length').consume((each) => context.getNumber(each));
      return length > 10_000 ? '(a long text)' : context.getString(value);
    });
  }
}

let machine;
for (const name of entries) {
  let outcome;
  try {
    if (machine === undefined) {
      // Otherwise the memory of machines that have failed is kept until this process happens to clear its own heap, which is small.
      globalThis.gc();
      machine = await Machine.create();
    }
    outcome = machine.run(name);
  } catch (error) {
    // A trap of WebAssembly, or the end of the stack of this process.
    const isOverflow = error instanceof RangeError;
    outcome = {
      failed: isOverflow
        ? 'InternalError: stack overflow'
        : `it stops the interpreter: ${String(error?.message).slice(0, 200)}`,
    };
  }
  // The memory may be in any state.
  if (outcome.failed !== undefined) machine = undefined;
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(outcome)}\n`, resolve));
}
