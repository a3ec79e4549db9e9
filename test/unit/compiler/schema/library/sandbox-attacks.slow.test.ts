// Ways out of a realm of JavaScript, tried by schema modules: none reaches the process around the interpreter, and each ends within limits.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { runModules, type RunOutcome } from '../../../../../src/compiler/schema/library/run-modules.ts';

const timeout = 600_000;

/** Runs modules in one process; each exports what it found as `description`. */
function run(
  modules: Readonly<Record<string, string>>,
  limits?: { milliseconds: number; megabytes: number },
) {
  const names = Object.keys(modules);
  const scripts = Object.fromEntries(names.map((name) => [`${name}.js`, modules[name] ?? '']));
  const outcomes = runModules({ scripts, libraries: [], entries: names.map((name) => `${name}.js`) }, limits);
  return new Map(names.map((name, index): [string, RunOutcome | undefined] => [name, outcomes[index]]));
}

/** Code that reports what `reached` finds by way of a function constructor. */
const report = `
const hostNames = ['process', 'require', 'module', 'fetch', 'WebSocket', 'Buffer', 'setTimeout', 'setImmediate', 'navigator', 'performance', 'WebAssembly', 'Worker', 'Deno', 'std', 'os', 'scriptArgs', 'print', '__filename'];
const reached = (make) => {
  const found = [];
  for (const name of hostNames) {
    try { if (make('return typeof ' + name)() !== 'undefined') found.push(name); } catch (error) { found.push(name + ': ' + error); }
  }
  return found;
};
const out = [];
const say = (found) => out.push(...found);
`;
const end = `
export const description = JSON.stringify({ schema: out, losses: [] });`;

/** Each gives \`say\` the names of the host's globals that it reaches: there must be none. */
const escapes: Readonly<Record<string, string>> = {
  global: 'say(reached((code) => Function(code)));',
  'constructor of this': 'say(reached((globalThis.constructor ?? Object).constructor));',
  'constructor of an object': 'say(reached({}.constructor.constructor));',
  'indirect eval': "say(reached((code) => () => (0, eval)('(() => {' + code + '})()')));",
  'generator functions': `const make = Object.getPrototypeOf(function* () {}).constructor;
    say(reached((code) => () => make(code)().next().value));`,
  'async functions': `const Async = Object.getPrototypeOf(async () => {}).constructor;
    let seen = []; for (const name of hostNames) Async('seen', name, 'if (typeof ' + name + ' !== "undefined") seen.push(1)')(seen);
    say(seen);`,
  'async generators': `const make = Object.getPrototypeOf(async function* () {}).constructor;
    make('return typeof process')().next();
    say(reached(make.constructor));`,
  'errors of the engine': `try { null.x; } catch (error) { say(reached(error.constructor.constructor)); }`,
  'a stack overflow': `const again = () => again(); try { again(); } catch (error) { say(reached(error.constructor.constructor)); }`,
  'out of memory': `try { new ArrayBuffer(2 ** 31 - 1); } catch (error) { say(reached(error.constructor.constructor)); }
    try { 'x'.repeat(2 ** 30); } catch (error) { say(reached(error.constructor.constructor)); }`,
  'a refused import': `import('node:fs').then((fs) => { globalThis.fs = fs; }, (error) => { globalThis.error = error; });
    const refused = (0, eval)("import('node:net')"); refused.catch((error) => { globalThis.error = error; });
    say(globalThis.fs === undefined && globalThis.error === undefined ? [] : ['a job ran']);
    say(reached(refused.constructor.constructor));`,
  'Error.prepareStackTrace': `Error.prepareStackTrace = (error, frames) => { for (const frame of frames) { const self = frame.getThis?.() ?? frame.getFunction?.(); if (self) say(reached(self.constructor.constructor)); } return 'x'; };
    void new Error('x').stack; try { null.x; } catch (error) { void error.stack; }`,
  'Error.captureStackTrace': `if (Error.captureStackTrace) { const holder = {}; Error.captureStackTrace(holder); say(reached(holder.stack.constructor.constructor)); }`,
  'Symbol.species': `class Caught extends Array { static get [Symbol.species]() { return function (n) { say(reached(this.constructor.constructor)); return []; }; } }
    new Caught(1, 2, 3).map((each) => each);
    class Later extends Promise { static get [Symbol.species]() { return Promise; } } Later.resolve().then(() => out.push('job'));`,
  'Symbol.toPrimitive and thenables': `const trap = { [Symbol.toPrimitive]() { say(reached(this.constructor.constructor)); return 'description'; }, then(resolve) { say(reached(resolve.constructor)); } };
    String(trap); Promise.resolve(trap); (async () => { await trap; })();`,
  Proxy: `const seen = new Proxy(function () {}, { get(target) { say(reached(Object.getPrototypeOf(target).constructor)); return undefined; }, apply(target, self) { if (self !== undefined) say(reached(self.constructor.constructor)); } });
    void seen.x; seen(); Reflect.apply(seen, undefined, []);
    let deep = {}; for (let i = 0; i < 50_000; i += 1) deep = new Proxy(deep, {}); try { void deep.x; } catch (error) { say(reached(error.constructor.constructor)); }`,
  'WeakRef and FinalizationRegistry': `const registry = new FinalizationRegistry((held) => { out.push(held); }); for (let i = 0; i < 1000; i += 1) registry.register({}, 'ran');
    const ref = new WeakRef({}); say(reached(ref.constructor.constructor)); say(reached((ref.deref() ?? {}).constructor.constructor));`,
  'Atomics and SharedArrayBuffer': `if (typeof Atomics !== 'undefined') out.push('Atomics');
    if (typeof SharedArrayBuffer === 'function') say(reached(SharedArrayBuffer.constructor));`,
  'the stubs': `for (const name of ['URL', 'Blob', 'File', 'Headers', 'Request', 'Response', 'FormData', 'URLSearchParams']) { say(reached(globalThis[name].constructor)); try { new globalThis[name]('x'); out.push('made ' + name); } catch (error) { say(reached(error.constructor.constructor)); } }
    try { Math.random(); } catch (error) { say(reached(error.constructor.constructor)); }
    say(reached(console.log.constructor)); say(reached(Date.constructor)); say(reached(new Date(0).constructor.constructor));`,
  'arguments and callers': `function inner() { try { return arguments.callee.caller; } catch { return null; } } const caller = (0, eval)('(' + inner + ')')(); if (caller) say(reached(caller.constructor));`,
  'getters of globals': `for (const key of Reflect.ownKeys(globalThis)) { let value; try { value = globalThis[key]; } catch { continue; } if (value?.constructor) say(reached(value.constructor.constructor)); }`,
  'poisoned built-ins': `Array.prototype.push = function (...all) { out[out.length] = all.length; }; JSON.parse = () => { throw 1; }; Object.prototype.then = function () {}; Object.defineProperty(Object.prototype, 'failed', { value: 'poison' });
    out.length = 0;`,
  'module namespaces': `import * as self from './module namespaces.js'; say(reached((code) => self.constructor ? self.constructor.constructor(code) : Function(code))); try { void import.meta.url; if (/^(?:file|node):/.test(import.meta.url)) out.push(import.meta.url); } catch {}`,
  'a tagged template and a realm': `const strings = ((each) => each)\`a\`; say(reached(strings.raw.constructor.constructor)); if (typeof ShadowRealm !== 'undefined') out.push('ShadowRealm');`,
};

test('no way out of the language leads to the process around it', { timeout }, () => {
  const outcomes = run(
    Object.fromEntries(Object.entries(escapes).map(([name, code]) => [name, `${report}${code}${end}`])),
  );
  for (const [name, outcome] of outcomes) expect([name, outcome]).toEqual([name, { schema: [], losses: [] }]);
  expect(outcomes.size).toBeGreaterThanOrEqual(20);
});

test('a module finds nothing of what another one did', { timeout }, () => {
  const schema = (value: string): string =>
    `export const description = JSON.stringify({ schema: ${value}, losses: [] });`;
  const outcomes = run({
    first: `globalThis.left = 'x'; Array.prototype.left = 1; Object.freeze(Object.prototype); Promise.resolve().then(() => { globalThis.job = 1; });
      globalThis.all = new Array(4e6).fill('left'); ${schema('1')}`,
    second: schema(
      '[typeof left, [].left === undefined, typeof job, Object.isFrozen(Object.prototype), typeof all]',
    ),
    broken: 'throw Object.assign(globalThis, { left: 1 });',
    third: schema('typeof left'),
  });
  expect(outcomes.get('first')).toMatchObject({ schema: 1 });
  expect(outcomes.get('second')).toMatchObject({
    schema: ['undefined', true, 'undefined', false, 'undefined'],
  });
  expect(outcomes.get('broken')).toHaveProperty('failed');
  expect(outcomes.get('third')).toMatchObject({ schema: 'undefined' });
});

test('what does not end or takes too much is stopped, each by itself', { timeout }, () => {
  const fine = 'export const description = JSON.stringify({ schema: true, losses: [] });';
  const outcomes = run(
    {
      loop: `for (;;); ${fine}`,
      'loop that catches': `for (;;) { try { for (;;); } catch {} finally { for (;;); } } ${fine}`,
      'loop in a getter of an error': `throw { get message() { for (;;); }, get name() { for (;;); } };`,
      'a regular expression': `/^(a+)+$/.test('a'.repeat(40) + 'b'); ${fine}`,
      'a sort': `const all = Array.from({ length: 1e5 }, (_, i) => i); for (;;) all.sort(() => 1); ${fine}`,
      'jobs without end': `const again = () => Promise.resolve().then(again); again(); ${fine}`,
      'awaiting at the top': `await new Promise(() => {}); ${fine}`,
      recursion: `const again = () => again() + 1; again(); ${fine}`,
      'recursion in a literal': `const deep = JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)); ${fine}`,
      'recursion in source': `(0, eval)('('.repeat(1e5) + ')'.repeat(1e5)); ${fine}`,
      'recursion of getters': `const self = { get a() { return this.a; } }; self.a; ${fine}`,
      'a giant array': `const all = []; for (;;) all.push(new Array(1e5).fill(1.5)); ${fine}`,
      'a giant string': `let text = 'xy'; for (;;) text = (text + text).split('').join('-'); ${fine}`,
      'a giant buffer': `const all = []; for (;;) all.push(new Uint8Array(2 ** 24)); ${fine}`,
      'a giant number': `let number = 3n; for (;;) number *= number; ${fine}`,
      after: fine,
    },
    { milliseconds: 2000, megabytes: 64 },
  );
  const harmless: readonly unknown[] = ['jobs without end', 'after'];
  for (const [name, outcome] of outcomes) {
    if (!harmless.includes(name))
      expect([name, outcome]).toEqual([name, { failed: expect.any(String) as string }]);
  }
  expect(outcomes.get('loop')).toEqual({ failed: 'it does not come to an end' });
  expect(outcomes.get('recursion')).toEqual({ failed: 'its recursion is too deep' });
  expect(outcomes.get('a giant array')).toEqual({ failed: 'it needs more than 64 MB of memory' });
  expect(outcomes.get('jobs without end')).toMatchObject({ schema: true });
  expect(outcomes.get('after')).toMatchObject({ schema: true });
});

test('a script that goes on when it is interrupted ends the process', { timeout }, () => {
  const outcomes = run(
    {
      before: 'export const description = JSON.stringify({ schema: true, losses: [] });',
      'without memory for the interrupt':
        'let all = []; for (;;) { try { for (;;) all.push(new Array(1e5).fill(1)); } catch { all = []; } }',
      after: '',
    },
    { milliseconds: 500, megabytes: 64 },
  );
  expect(outcomes.get('before')).toMatchObject({ schema: true });
  expect(outcomes.get('without memory for the interrupt')).toEqual({ failed: 'it does not come to an end' });
  expect(outcomes.get('after')).toHaveProperty('failed');
});

test('what is given out is read with care', { timeout }, () => {
  const text = (value: string): string => `export const description = ${value};`;
  const outcomes = run({
    'no text': text('{ toString() { return "x"; } }'),
    'no JSON': text('"{"'),
    'another shape': text('JSON.stringify([1])'),
    'losses that are none': text(`JSON.stringify({ schema: {}, losses: [{ path: 'x' }] })`),
    'too deep': text(`'{"losses":[],"schema":' + '['.repeat(1e6) + ']'.repeat(1e6) + '}'`),
    'too long': text(`'"' + 'x'.repeat(2 ** 25) + '"'`),
    'a field called __proto__': text(`'{"losses":[],"schema":{"__proto__":{"polluted":1}}}'`),
    'an error without end': `throw { name: 'E', message: 'x'.repeat(2 ** 22) };`,
    'an error that is nothing': 'throw undefined;',
    'an error that throws': `throw new Proxy({}, { get() { throw new Error('inner'); } });`,
    'an error like that of the interpreter': `throw { name: 'trap', message: 'interrupted' };`,
  });
  for (const [name, outcome] of outcomes)
    if (name !== 'a field called __proto__')
      expect([name, outcome]).toEqual([name, { failed: expect.any(String) as string }]);
  expect(JSON.stringify(outcomes.get('too deep'))).toContain('more than 256 levels');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** Watches the peak memory of the programs that this process starts, in kB, while it waits for them. */
const watcher = `
const { readdirSync, readFileSync } = require('node:fs');
const { parentPort, workerData: peak } = require('node:worker_threads');
const look = () => {
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    try {
      const status = readFileSync('/proc/' + pid + '/status', 'utf8');
      // Until it has started its program, a process has the memory of this one.
      if (!readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('--input-type=module')) continue;
      if (Number(/PPid:\\s+(\\d+)/.exec(status)[1]) === process.pid)
        peak[0] = Math.max(peak[0], Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? 0));
    } catch {}
  }
};
setInterval(look, 20);
parentPort.postMessage('ready');
`;

test.runIf(process.platform === 'linux')(
  'its memory has a limit that holds outside of it',
  { timeout },
  async () => {
    const peak = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(watcher, { eval: true, workerData: peak });
    try {
      await once(worker, 'message');
      run(
        {
          arrays: 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5));',
          buffers:
            'const all = []; for (;;) { try { for (;;) all.push(new Uint8Array(2 ** 20).fill(1)); } catch { all.pop(); } }',
          shared:
            'const all = []; for (;;) { const one = new SharedArrayBuffer(2 ** 20); new Uint8Array(one).fill(1); all.push(one); }',
          strings: "let text = 'xy'; for (;;) text += [...text].reverse().join('');",
        },
        { milliseconds: 5000, megabytes: 64 },
      );
    } finally {
      await worker.terminate();
    }
    // The interpreter's memory, a part of the former one's that is being freed, the one it is set back to, and a process of Node with its code.
    expect(peak[0]).toBeGreaterThan(30 * 1024);
    expect((peak[0] ?? 0) / 1024).toBeLessThan(64 + 32 + 16 + 150);
  },
);
