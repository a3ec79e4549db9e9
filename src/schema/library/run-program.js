// Runs a script in a context that has the language and nothing else: no modules, no network, no files, no environment. Reads the script
// from stdin, how many milliseconds it may take from its argument, and writes the text that it gives to stdout. Started with --eval, so that it needs no file. See run-module.ts.
import { createContext, runInContext } from 'node:vm';

let script = '';
for await (const part of process.stdin.setEncoding('utf8')) script += part;
// No object of this process may get in: with one of them, a script could reach all the rest.
const context = createContext(Object.create(null));
const given = runInContext(script, context, { filename: 'schema', timeout: Number(process.argv[1]) });
process.stdout.write(typeof given === 'string' ? given : '');
